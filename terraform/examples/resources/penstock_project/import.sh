terraform import penstock_project.example 'acme/prod'
