"""`python -m tidings` is the command line."""

from tidings.cli import main

if __name__ == "__main__":
    main()
