"""Examples that draw values use the same profiles as the laws."""

from profiles import use_profile

use_profile()
