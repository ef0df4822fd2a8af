"""Laws run under the profile that HYPOTHESIS_PROFILE names."""

from profiles import use_profile

use_profile()
