"""Pictures of walks: each mark of a picture appears together with the step of the test that it shows."""
