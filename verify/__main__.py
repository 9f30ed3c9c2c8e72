"""`python -m verify`."""

from verify.start import main

if __name__ == "__main__":
    main()
