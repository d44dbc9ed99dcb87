# The server of docs/server.md: mvn package builds the jar in snowcast-tools/server/target.
FROM eclipse-temurin:21-jre
COPY snowcast-server-3.0.0-SNAPSHOT.jar /snowcast-server.jar
USER 65534
ENTRYPOINT ["java", "-jar", "/snowcast-server.jar"]
