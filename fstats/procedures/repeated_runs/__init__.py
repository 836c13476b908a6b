"""Many tasks, each with several runs (seeds): averages, profiles and comparisons, with runs drawn again within tasks as luck."""
