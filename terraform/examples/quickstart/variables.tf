variable "project" {
  description = "Name of the project that is made."
  type        = string
  default     = "quickstart"
}
