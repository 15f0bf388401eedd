# Lodestar for a club's own server. Build: docker build -t lodestar .
FROM python:3.13-slim-trixie

RUN apt-get update \
    && apt-get install -y --no-install-recommends libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 lodestar

WORKDIR /app
COPY requirements/server.txt requirements/server.txt
RUN pip install --no-cache-dir --require-hashes --only-binary :all: -r requirements/server.txt

COPY manage.py pyproject.toml ./
COPY config config
COPY scoring scoring
COPY tournament tournament
COPY templates templates
COPY static static
COPY locale locale

ENV PYTHONUNBUFFERED=1 LODESTAR_DATA_DIR=/data DJANGO_SETTINGS_MODULE=config.settings
RUN mkdir /data && chown lodestar /data \
    && python -m config.catalogues \
    && LODESTAR_SECRET_KEY=only-while-building-and-never-kept-in-what-was-built LODESTAR_SITE_URL=https://localhost \
       LODESTAR_STATIC_DIR=/app/staticfiles python manage.py collectstatic --noinput --verbosity 0
ENV LODESTAR_STATIC_DIR=/app/staticfiles

USER lodestar
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=40s --retries=3 \
    CMD ["python", "-m", "config.health"]
CMD ["sh", "-c", "python manage.py migrate --noinput && exec python -m config.server --host 0.0.0.0 --port 8000 --workers ${LODESTAR_WORKERS:-2}"]
