// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.release;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** A POM as its file has it, without inherited elements. */
record Pom(Path file, Element project) {
    static Pom read(Path file) throws IOException {
        try {
            return new Pom(
                    file,
                    DocumentBuilderFactory.newDefaultInstance()
                            .newDocumentBuilder()
                            .parse(file.toFile())
                            .getDocumentElement());
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(file.toString(), e);
        }
    }

    /** Returns the root POM of the tree and the POMs of its modules. */
    static List<Pom> tree(Path root) throws IOException {
        List<Pom> poms = new ArrayList<>();
        poms.add(read(root.resolve("pom.xml")));
        for (String module : poms.get(0).texts("modules/module")) {
            poms.add(read(root.resolve(module).resolve("pom.xml")));
        }
        return poms;
    }

    /** Returns the POMs that a release publishes: all except the parent and the modules that skip the deployment. */
    static List<Pom> published(Path root) throws IOException {
        return tree(root).stream()
                .skip(1)
                .filter(pom -> !pom.text("properties/maven.deploy.skip").equals("true"))
                .toList();
    }

    String artifact() {
        return text("artifactId");
    }

    boolean isJar() {
        return !text("packaging").equals("pom");
    }

    /** {@return the text of an element of the project, such as {@code scm/url}; empty if there is none} */
    String text(String path) {
        return texts(path).stream().findFirst().orElse("");
    }

    List<String> texts(String path) {
        return elements(path).stream()
                .map(element -> element.getTextContent().strip())
                .toList();
    }

    List<Element> elements(String path) {
        List<Element> elements = List.of(project);
        for (String name : path.split("/", -1)) {
            elements = elements.stream()
                    .flatMap(element -> children(element, name).stream())
                    .toList();
        }
        return elements;
    }

    /** Returns all elements with that name, at any depth. */
    List<Element> everywhere(String name) {
        var found = project.getElementsByTagName(name);
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> (Element) found.item(i))
                .toList();
    }

    static String text(Element parent, String name) {
        return children(parent, name).stream()
                .map(element -> element.getTextContent().strip())
                .findFirst()
                .orElse("");
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> children = new ArrayList<>();
        for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element element && element.getTagName().equals(name)) {
                children.add(element);
            }
        }
        return children;
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
