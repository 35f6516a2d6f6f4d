var all = loadDirectoryFileInfo('directory')
output texts array = loadDirectoryFileInfo('directory', '*.txt')
output names array = map(all, file => file.baseName)
