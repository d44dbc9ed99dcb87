"""Gets IDs from snowcast by the published codecs of Hazelcast's client protocol, without any client."""
import os
import socket
import struct
import sys

UNFRAGMENTED, FINAL, NULL, BEGIN, END = 0xC000, 0x2000, 0x0400, 0x1000, 0x0800
AUTHENTICATION, NEW_ID_BATCH, ERROR = 0x000100, 0x1C0100, 0


def frame(content, flags=0):
    return struct.pack("<iH", 6 + len(content), flags) + content


def text(value):
    return frame(value.encode())


class Connection:
    def __init__(self, port, cluster_name):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=180)
        self.socket.sendall(b"CP2")
        self.correlation_id = 0
        own_uuid = b"\0" + os.urandom(16)
        nobody = frame(b"", NULL)
        frames = [text(cluster_name), nobody, nobody, text("PHY"), text("5.7.0"), text("codecs")]
        frames += [frame(b"", BEGIN), frame(b"", END)]
        answer = self.call(AUTHENTICATION, own_uuid + struct.pack("<b", 1), frames)
        if answer[13] != 0:
            raise RuntimeError(f"not authenticated: status {answer[13]}")

    def call(self, message_type, fixed, frames):
        self.correlation_id += 1
        first = struct.pack("<iqi", message_type, self.correlation_id, -1) + fixed
        last = bytearray(frames[-1])
        flags = struct.unpack_from("<H", last, 4)[0]
        struct.pack_into("<H", last, 4, flags | FINAL)
        self.socket.sendall(frame(first, UNFRAGMENTED) + b"".join(frames[:-1]) + bytes(last))
        while True:
            answer = self.message()
            answer_type, correlation_id = struct.unpack_from("<iq", answer[0])
            if correlation_id != self.correlation_id:
                continue
            if answer_type == ERROR:
                # A list of errors: begin, begin, fixed part, class, message.
                raise RuntimeError(f"{answer[4].decode()}: {answer[5].decode()}")
            return answer[0]

    def message(self):
        frames = []
        while True:
            length, flags = struct.unpack("<iH", self.read(6))
            frames.append(self.read(length - 6))
            if flags & FINAL:
                return frames

    def read(self, count):
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                raise EOFError("the member has closed the connection")
            data += more
        return data

    def new_id_batch(self, name, size):
        answer = self.call(NEW_ID_BATCH, struct.pack("<i", size), [text(name)])
        base, increment, count = struct.unpack_from("<qqi", answer, 13)
        return range(base, base + increment * count, increment)


def write(connection, generator, size, count, path):
    with open(path, "w", encoding="ascii") as out:
        while count > 0:
            batch = connection.new_id_batch(generator, size)
            out.writelines(f"{number}\n" for number in batch)
            count -= len(batch)


def main(cluster_name, port, name, count, path):
    connection = Connection(int(port), cluster_name)
    try:
        print(f"unknown gave {connection.new_id_batch('snowcast:unknown', 1)}")
    except RuntimeError as e:
        print(f"refused: {e}")
    write(connection, f"snowcast:{name}", 1000, int(count), path)


main(*sys.argv[1:])
