# syntax=docker/dockerfile:1
# One image for amd64 and arm64. It runs as an ordinary user, on a read-only root file system.
#   docker build -t malipo .
#   docker run --init --rm -p 127.0.0.1:8080:8080 malipo
ARG NODE_IMAGE=docker.io/library/node:22-bookworm-slim

# The compiled code is the same on every platform, so it is made on the builder's own.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY scripts/build.mjs scripts/
COPY src src
RUN node scripts/build.mjs

# Packages of the target platform: the built-in PostgreSQL is one of them.
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev

FROM ${NODE_IMAGE}
# PostgreSQL asks for the name of its account. A number as USER lets a cluster see that it is not root.
RUN groupadd --gid 10001 malipo \
 && useradd --uid 10001 --gid malipo --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin malipo \
 && install -d -o malipo -g malipo -m 0700 /var/lib/malipo
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /src/dist/program dist/program
COPY package.json LICENSE ./
COPY bin bin
COPY catalog catalog
COPY docs docs
COPY migrations migrations

ENV MALIPO_HOST=0.0.0.0 MALIPO_DATA_DIR=/var/lib/malipo
USER 10001:10001
EXPOSE 8080
VOLUME /var/lib/malipo
STOPSIGNAL SIGTERM
# Fails when the process should be restarted. Whether it can serve is /readyz: compose.yaml asks that.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=32", "--heap-growing-percent=100", "/app/bin/malipo.mjs"]
CMD ["start"]
