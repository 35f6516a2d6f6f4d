/**
 * Completion for bash that needs no other package. Names come from a control plane: they are compared and quoted, and
 * never expanded. The words are those of the line, because bash cuts its own at `=` and `:`. Where rad answers `:0`, and
 * where it cannot be asked, `-o default` completes file names.
 */
export const bashScript = `# bash completion for rad
__rad_complete() {
    local line=\${COMP_LINE:0:COMP_POINT} current prefix value description out
    local -a words
    IFS=$' \\t\\n' read -a words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    current=\${words[\${#words[@]}-1]}
    COMPREPLY=()
    out=$("\${words[0]/#\\~/$HOME}" complete -- "\${words[@]:1}" 2>/dev/null </dev/null) || return 0
    prefix=\${current%"\${current##*[=:]}"}
    while IFS=$'\\t' read -r value description; do
        case $value in
            :*) [[ $value == :0 ]] || compopt +o default 2>/dev/null ;;
            "$current"*) printf -v value '%q' "$value"; COMPREPLY+=("\${value#"$prefix"}") ;;
        esac
    done <<< "$out"
}
complete -o default -F __rad_complete rad
`;
