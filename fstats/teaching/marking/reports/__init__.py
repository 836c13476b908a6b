"""Reports on a class: pages, figures, item analysis, audits."""
