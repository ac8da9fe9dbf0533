"""HTTP over guarded connections: client, pools, name resolution and the guard."""
