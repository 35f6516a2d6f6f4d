var a = loadDirectoryFileInfo('nowhere')
var b = loadDirectoryFileInfo('directories/file.txt')
