extension radius
