# The cloud of Code Hands. Build it from the root of the repository:
#   docker build -f infra/docker/cloud.dockerfile -t codehands-cloud .
FROM node:22-bookworm-slim AS build
WORKDIR /source
ENV TURBO_TELEMETRY_DISABLED=1 CI=1
COPY . .
RUN npx -y pnpm@10 install --frozen-lockfile --filter @codehands/cloud... --filter codehands-workspace
RUN npx -y pnpm@10 exec turbo run build --filter=@codehands/cloud...
# The database runs elsewhere here, so the embedded one stays out.
RUN npx -y pnpm@10 --filter @codehands/cloud deploy --legacy --prod --no-optional /out

FROM node:22-bookworm-slim AS run
ENV NODE_ENV=production \
    CODEHANDS_CLOUD_HOST=0.0.0.0 \
    CODEHANDS_CLOUD_PORT=8787 \
    CODEHANDS_CLOUD_DATA_DIR=/data
RUN mkdir /data && chown node:node /data && chmod 700 /data
# The program belongs to root: who breaks into it cannot change it.
COPY --from=build /out /app
WORKDIR /app
USER node
VOLUME /data
EXPOSE 8787
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.CODEHANDS_CLOUD_PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
