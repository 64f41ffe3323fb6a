// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: man-pages(7) for the sections; groff_man(7); bash(1), "Programmable Completion".
#include "api/command/manual.h"

#include <algorithm>

#include "api/devices/debug_drivers.h"
#include "pipe/debug.h"
#include "winsys/environment/environment.h"

namespace terrazzo::command {
namespace {

/// Converts text to roff: '-' stays copyable, and no line begins with a request.
std::string roff(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    }
    return out;
}

std::string bold(const std::string& text) {
    return "\\fB" + roff(text) + "\\fR";
}
std::string italic(const std::string& text) {
    return "\\fI" + roff(text) + "\\fR";
}

/// "-v, --verbose FILE".
std::string head_of(const OptionText& option) {
    if (option.is_positional()) return italic(option.names[0]);
    std::string out;
    for (const std::string& name : option.names)
        out += (out.empty() ? "" : ", ") + bold(name);
    return option.value.empty() ? out : out + " " + italic(option.value);
}

std::string synopsis_of(const CommandText& command) {
    std::string out = bold("terrazzo") + (command.name.empty() ? "" : " " + bold(command.name));
    for (const OptionText& option : command.options)
        if (!option.is_positional() && option.names.back() != "--help")
            out +=
                " [" + bold(option.names[0]) + (option.value.empty() ? "" : " " + italic(option.value)) + "]";
    for (const OptionText& option : command.options)
        if (option.is_positional()) out += " " + italic(option.names[0]);
    return command.runs_program ? out + " " + bold("--") + " " + italic("CMD...") : out;
}

void add_entry(std::string* out, const std::string& head, const std::string& text) {
    *out += ".TP\n" + head + "\n" + text + "\n";
}

std::string words_of(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words)
        out += (out.empty() ? "" : " ") + word;
    return out;
}

/// Options whose value is a device, or those with another kind of value.
std::string options_with_value(const std::vector<CommandText>& commands, bool device) {
    std::vector<std::string> names;
    for (const CommandText& command : commands)
        for (const OptionText& option : command.options)
            if (!option.is_positional() && !option.value.empty() && (option.value[0] == 'D') == device)
                for (const std::string& name : option.names)
                    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    std::string out;
    for (const std::string& name : names)
        out += (out.empty() ? "" : "|") + name;
    return out;
}

constexpr char kCompletion[] = R"BASH(
# The whole word before the cursor is taken from the line: COMP_WORDS is split at each colon (sim:mali-g610).
_terrazzo() {
    local line=${COMP_LINE:0:COMP_POINT} word before command i
    word=${line##*[[:space:]]}
    local -a words
    read -r -a words <<<"${line%"$word"}"
    command=${words[1]} before=${words[${#words[@]} - 1]}
    COMPREPLY=()
    if [ ${#words[@]} -le 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "@COMMANDS@" -- "$word")
        return
    fi
    case $command in
        @PROGRAMS@)
            # The command's own options end at a program, whose words are its own.
            for ((i = 2; i < ${#words[@]}; i++)); do
                case ${words[i]} in
                    --) break ;;
                    @VALUES@) ((i++)) ;;
                    -*) ;;
                    *) break ;;
                esac
            done
            if [ "$i" -lt ${#words[@]} ]; then
                if [ "${words[i]}" = -- ] && [ $((i + 1)) -eq ${#words[@]} ]; then
                    mapfile -t COMPREPLY < <(compgen -c -- "$word")
                else
                    mapfile -t COMPREPLY < <(compgen -f -- "$word")
                fi
                return
            fi
            ;;
    esac
    case $before in
        @DEVICES@)
            local devices
            devices=$("${words[0]}" help --devices 2>/dev/null)
            # Offline compilers are named by their chips alone.
            [ "$command" != shader-db ] || devices="all $(sed -n 's/^sim://p' <<<"$devices")"
            mapfile -t COMPREPLY < <(compgen -W "$devices" -- "$word")
            # bash replaces only what follows the last colon.
            case $word in *:*) COMPREPLY=("${COMPREPLY[@]#"${word%"${word##*:}"}"}") ;; esac
            return
            ;;
        @OTHERS@)
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            return
            ;;
    esac
    case $word in
        -*)
            case $command in
@OPTIONS@            esac
            ;;
        *)
            case $command in
                help) mapfile -t COMPREPLY < <(compgen -W "@COMMANDS@" -- "$word") ;;
                *) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
            esac
            ;;
    esac
}
complete -o filenames -F _terrazzo terrazzo
)BASH";

void replace_all(std::string* text, const std::string& from, const std::string& to) {
    for (size_t at = 0; (at = text->find(from, at)) != text->npos; at += to.size())
        text->replace(at, from.size(), to);
}

}  // namespace

std::string manual_page(const std::vector<CommandText>& commands, const std::string& version) {
    std::string out =
        ".\\\" SPDX-FileCopyrightText: 2026 The Terrazzo authors\n.\\\" SPDX-License-Identifier: MIT\n"
        ".\\\" Generated by `terrazzo help --man`.\n";
    out += ".TH TERRAZZO 1 \"\" \"Terrazzo " + version + "\"\n.SH NAME\n";
    out +=
        "terrazzo \\- run programs on Terrazzo's OpenGL ES and EGL, and look at GPU work\n.SH "
        "SYNOPSIS\n.nf\n";
    for (const CommandText& command : commands)
        if (!command.name.empty()) out += synopsis_of(command) + "\n";
    out += ".fi\n.SH COMMANDS\n";
    for (const CommandText& command : commands) {
        if (command.name.empty()) continue;
        out += ".SS " + roff(command.name) + "\n" + roff(command.meaning) + "\n";
        for (const OptionText& option : command.options)
            add_entry(&out, head_of(option), roff(option.meaning));
    }
    out += ".SH OPTIONS\n";
    for (const CommandText& command : commands)
        if (command.name.empty())
            for (const OptionText& option : command.options)
                add_entry(&out, head_of(option), roff(option.meaning));
    out += ".SH ENVIRONMENT\n";
    for (const winsys::VariableRow& row : winsys::variable_rows())
        add_entry(&out, bold(row.name), roff(std::string(row.meaning) + " Allowed: " + row.allowed + "."));
    out +=
        ".PP\nA value that is not allowed is reported once, and is as if it were not set.\n"
        ".SH WORDS OF TERRAZZO_DEBUG\n";
    for (const pipe::DebugRow& row : pipe::debug_rows()) {
        std::string head = bold(row.name);
        if (row.argument)
            head += row.argument[0] == '[' ? "[:" + italic(row.argument + 1) : ":" + italic(row.argument);
        add_entry(&out, head,
                  roff(std::string(row.meaning) +
                       ". Devices: " + pipe::scope_text(row, api::debug_drivers()) + "."));
    }
    out +=
        ".SH EXIT STATUS\n"
        "0: the command did what was asked. 1: it did not, and a line on standard error says why. 2: the "
        "command line\n"
        "cannot be read. \\fBrun\\fR and \\fBcounters\\fR have the program's own, 127 where there is no such "
        "program, 126\n"
        "where it cannot be executed.\n";
    return out;
}

std::string bash_completion(const std::vector<CommandText>& commands) {
    std::vector<std::string> names, programs;
    std::string options;
    for (const CommandText& command : commands) {
        std::vector<std::string> words;
        for (const OptionText& option : command.options)
            if (!option.is_positional()) words.insert(words.end(), option.names.begin(), option.names.end());
        if (command.name.empty()) {
            names.insert(names.end(), words.begin(), words.end());
            continue;
        }
        names.push_back(command.name);
        if (command.runs_program) programs.push_back(command.name);
        options += "                " + command.name + ") mapfile -t COMPREPLY < <(compgen -W \"" +
                   words_of(words) + "\" -- \"$word\") ;;\n";
    }
    std::string alternatives;
    for (const std::string& name : programs)
        alternatives += (alternatives.empty() ? "" : "|") + name;
    const std::string devices = options_with_value(commands, true),
                      others = options_with_value(commands, false);
    std::string out =
        "# SPDX-FileCopyrightText: 2026 The Terrazzo authors\n# SPDX-License-Identifier: MIT\n#\n"
        "# bash completion of terrazzo(1). Generated by `terrazzo help --bash-completion`.";
    out += kCompletion;
    replace_all(&out, "@COMMANDS@", words_of(names));
    replace_all(&out, "@PROGRAMS@", alternatives);
    replace_all(&out, "@VALUES@", devices + "|" + others);
    replace_all(&out, "@DEVICES@", devices);
    replace_all(&out, "@OTHERS@", others);
    replace_all(&out, "@OPTIONS@", options);
    return out;
}

}  // namespace terrazzo::command
