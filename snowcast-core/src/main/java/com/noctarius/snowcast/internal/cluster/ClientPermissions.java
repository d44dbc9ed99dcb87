// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.security.permission.ActionConstants;
import com.hazelcast.security.permission.FlakeIdGeneratorPermission;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.security.Permission;
import java.util.List;
import java.util.Map;

/**
 * The permissions that a client's calls need if Hazelcast Enterprise checks them. They are the permissions for a Flake
 * ID generator of the same name, because Hazelcast's configuration has no permissions for the objects of other
 * libraries.
 */
final class ClientPermissions {
    private static final String[] CREATE_AND_USE = {ActionConstants.ACTION_CREATE, ActionConstants.ACTION_MODIFY};
    private static final String[] USE = {ActionConstants.ACTION_MODIFY};
    private static final String[] DESTROY = {ActionConstants.ACTION_DESTROY};

    /** Listening needs no permission, because a client that uses a name learns the content of its events anyway. */
    private static final Map<RequestType<?, ?>, String[]> ACTIONS = Map.of(
            RequestType.ATTACH, CREATE_AND_USE,
            RequestType.RENEW, USE,
            RequestType.DETACH, USE,
            RequestType.DESTROY, DESTROY,
            RequestType.COUNT, USE,
            RequestType.CLUSTER_STATUS, USE);

    private ClientPermissions() {}

    /**
     * Returns one permission for each name in a request, in the order of the names; an empty list if the type needs no
     * permission.
     */
    static <Q> List<Permission> of(RequestType<Q, ?> type, Q request) {
        String[] actions = ACTIONS.get(type);
        return actions == null
                ? List.of()
                : type.names(request).stream()
                        .distinct()
                        .<Permission>map(name -> new FlakeIdGeneratorPermission(name, actions))
                        .toList();
    }
}
