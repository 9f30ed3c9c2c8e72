"""`python -m verify.flow CERTIFICATE.json ...`: the checker of flows, with all kinds of certificates."""

import sys

from verify.flow.recheck import main

sys.exit(main())
