foo bar
{
provider x
