"""The API: the same news as JSON over HTTP, under /api/v1.

Each operation is declared once, as data (`operation.Operation`); its parameters, body and answer are typed records.
From these come the checks of what is asked (`given`), the answers (`written`) and the OpenAPI document (`openapi`).
"""
