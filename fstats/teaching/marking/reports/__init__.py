"""Reports on a class: pages, figures, item analysis and audits."""
