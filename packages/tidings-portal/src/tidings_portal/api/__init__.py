"""The HTTP API: stored news as JSON, under /api/v1.

Each operation is declared once, as an `Operation` with typed records for its parameters, body and response. Request
validation (`requests`), responses and the OpenAPI document (`openapi`) are derived from these records.
"""
