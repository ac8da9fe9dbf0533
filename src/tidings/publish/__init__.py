"""Out again: what the store holds, as feeds and as files (SPEC.md 5; LBNEST V)."""
