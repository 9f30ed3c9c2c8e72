"""`python -m verify.flow CERTIFICATE.json ...`: the checker of flows, with all kinds of certificates."""

import sys

from verify.flow.recheck_files import main

sys.exit(main())
