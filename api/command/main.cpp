// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The `terrazzo` command line.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string_view>

#include "api/command/commands.h"
#include "api/command/manual.h"

using namespace terrazzo::command;

namespace {

/// The index in argv of the program of `terrazzo run` or `counters`, whose options are not ours; argc: there
/// is none.
int command_start(int argc, char** argv) {
    for (int i = 2; i < argc; ++i) {
        const std::string_view a = argv[i];
        if (a == "--") return i;
        if (a == "--device" || a == "--html")
            ++i;
        else if (a.empty() || a[0] != '-')
            return i;
    }
    return argc;
}

int fail(const std::string& what) {
    std::fprintf(stderr, "terrazzo: %s (see terrazzo --help)\n", what.c_str());
    return 2;
}

void add_shader_db(CLI::App* app, ShaderDbOptions* o) {
    app->add_option(
        "FILES", o->files,
        "Folders, .shader_test files, .vert or .frag of a pair, A.vert,B.frag; .json: earlier results");
    app->add_option("--device", o->devices, "Devices, or all")
        ->type_name("D,...")
        ->delimiter(',')
        ->allow_extra_args(false);
    app->add_option("--json", o->json, "Write the results to FILE (-: stdout)")->type_name("FILE");
    app->add_option("--html", o->html, "Write a page to FILE (-: stdout)")->type_name("FILE");
    app->add_option("--compare", o->compare, "Earlier results, with which the new ones are compared")
        ->type_name("OLD.json");
    app->add_option("--shard", o->shard, "Compile only part I of N")->type_name("I/N");
    app->add_flag("--merge", o->merge, "Merge the results in FILES");
    app->add_flag("--desktop", o->desktop, "Try shaders of GLSL 1.10 and 1.20 as GLSL ES 1.00");
    app->add_option("-j", o->threads, "Threads")->type_name("N");
    app->add_flag("--no-times", o->no_times, "Omit compile times from --json");
    app->add_flag("-q,--quiet", o->quiet, "Print only totals, and no progress");
}

/// The parser's options and commands, for the manual and the completion.
CommandText text_of(const CLI::App& app, bool is_command) {
    CommandText text{.name = is_command ? app.get_name() : "", .meaning = app.get_description()};
    text.runs_program = text.name == "run" || text.name == "counters";
    for (const CLI::Option* option : app.get_options()) {
        OptionText o{.meaning = option->get_description()};
        for (const std::string& name : option->get_snames())
            o.names.push_back("-" + name);
        for (const std::string& name : option->get_lnames())
            o.names.push_back("--" + name);
        if (o.names.empty())
            o.names.push_back(option->get_name());
        else if (option->get_type_size() > 0)
            o.value = option->get_type_name().substr(0, option->get_type_name().find(':'));
        text.options.push_back(std::move(o));
    }
    return text;
}

std::vector<CommandText> all_texts(const CLI::App& app) {
    std::vector<CommandText> texts{text_of(app, false)};
    for (const CLI::App* command : app.get_subcommands({}))
        texts.push_back(text_of(*command, true));
    return texts;
}

struct HelpOptions {
    std::string command;  // empty: all commands
    bool man = false, bash_completion = false, devices = false;
};

int help(const CLI::App& app, const HelpOptions& options) {
    if (options.devices) return list_devices();
    std::string text;
    if (options.man)
        text = manual_page(all_texts(app), TERRAZZO_VERSION);
    else if (options.bash_completion)
        text = bash_completion(all_texts(app));
    else if (options.command.empty())
        text = app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
    for (const CLI::App* command : app.get_subcommands({}))
        if (!options.command.empty() && command->get_name() == options.command)
            text = command->help(app.get_name());
    if (text.empty()) return fail("help: no such subcommand: " + options.command);
    std::fputs(text.c_str(), stdout);
    return std::fflush(stdout) == 0 ? 0 : 1;
}

int parse_and_do(int argc, char** argv) {
    CLI::App app("Terrazzo: OpenGL ES and EGL on any machine.", "terrazzo");
    app.set_version_flag("--version", "terrazzo " TERRAZZO_VERSION);
    app.require_subcommand(1);

    RunOptions run_options;
    CLI::App* run_app = app.add_subcommand(
        "run",
        "Run a program on Terrazzo: terrazzo run [--device D] -- CMD... The program finds Terrazzo's "
        "libEGL.so.1, libGLESv2.so.2, libGLESv1_CM.so.1 and libgbm.so.1 before the system's");
    run_app->add_flag("--glvnd", run_options.glvnd,
                      "Run as a vendor of the system's libEGL, for programs that also use libGL.so.1");
    run_app
        ->add_option("--device", run_options.device,
                     "The device to draw on, as in TERRAZZO_DEVICE: info -v lists them")
        ->type_name("D");

    CountersOptions counters_options;
    CLI::App* counters_app = app.add_subcommand("counters",
                                                "Run a program and show what its device counts: terrazzo "
                                                "counters [--device D] [--html FILE] -- CMD...");
    counters_app->add_flag("--glvnd", counters_options.run.glvnd, "As for run");
    counters_app->add_option("--device", counters_options.run.device, "As for run")->type_name("D");
    counters_app->add_option("--html", counters_options.html, "Write plots over time to FILE (-: stdout)")
        ->type_name("FILE");

    InfoOptions info_options;
    CLI::App* info_app = app.add_subcommand("info", "Report what a program would get here, and why");
    info_app->add_flag("-v,--verbose", info_options.verbose, "List the devices, extensions and configs too");
    info_app->add_flag("--json", info_options.json, "Print JSON");

    ExplainOptions explain_options;
    CLI::App* explain_app =
        app.add_subcommand("explain",
                           "Report which devices, platforms and libraries were found, what "
                           "was rejected, and what to do. Exit code 1: a "
                           "program would get no context that draws");
    explain_app->add_flag("--json", explain_options.json, "Print JSON");
    explain_app->add_option("--timeout", explain_options.timeout_s, "How long a server may take to answer")
        ->type_name("S")
        ->check(CLI::Range(1, 3600));

    DecodeOptions decode_options;
    CLI::App* decode_app =
        app.add_subcommand("decode", "Print the command streams of a capture, and the data that they use");
    decode_app->add_option("FILE", decode_options.file, "A capture of submissions")->required();
    decode_app->add_flag("--no-shaders", decode_options.no_shaders, "Omit the instructions of shaders");
    decode_app->add_flag("--stats", decode_options.stats,
                         "Print only counts: draws, instructions, bytes per draw");

    ReplayOptions replay_options;
    CLI::App* replay_app = app.add_subcommand("replay", "Run a recording on the virtual GPU of its vendor");
    replay_app
        ->add_option("FILE", replay_options.file,
                     "A capture (TERRAZZO_DEBUG=trace:FILE), or a file of the freedreno tools (.rd)")
        ->required();
    replay_app
        ->add_option("--out", replay_options.out, "Write the image of each submission to FOLDER/NUMBER.ppm")
        ->type_name("FOLDER");
    replay_app->add_flag("--top-down", replay_options.top_down,
                         "The first row of images is the top row, as for windows");
    replay_app
        ->add_option("--device", replay_options.device, "sim:adreno-650, ... instead of the recorded chip")
        ->type_name("D");
    replay_app->add_flag("--no-draws", replay_options.draws_nothing, "Read the streams without drawing");

    HelpOptions help_options;
    CLI::App* help_app = app.add_subcommand("help", "Print the options of a command, or the commands");
    help_app->add_option("COMMAND", help_options.command,
                         "The command; without one, all commands are listed");
    help_app->add_flag("--man", help_options.man, "Print the manual page, for man -l");
    help_app->add_flag("--bash-completion", help_options.bash_completion,
                       "Print the completion of command lines for bash");
    help_app->add_flag("--devices", help_options.devices, "List the devices for --device");

    ShaderDbOptions db_options;
    CLI::App* db_app = app.add_subcommand("shader-db", "Compile shaders for devices and measure the code");
    add_shader_db(db_app, &db_options);

    const std::string first = argc > 1 ? argv[1] : "";
    if (first.empty()) return fail("no subcommand given");
    const std::vector<CLI::App*> commands = app.get_subcommands([](CLI::App*) { return true; });
    if (first[0] != '-' &&
        std::ranges::none_of(commands, [&](const CLI::App* c) { return c->get_name() == first; }))
        return fail("no such subcommand: " + first);
    const int end = first == "run" || first == "counters" ? command_start(argc, argv) : argc;
    try {
        app.parse(end, argv);
    } catch (const CLI::Success& s) {
        return app.exit(s);  // --help, --version
    } catch (const CLI::ParseError& e) {
        return fail(e.what());
    }
    if (*help_app) return help(app, help_options);
    if (*info_app) return info(info_options);
    if (*explain_app) return explain(explain_options);
    if (*decode_app) return decode(decode_options);
    if (*replay_app) return replay(replay_options);
    if (*db_app) return measure_shaders(db_options);
    const int program = end < argc && std::string_view(argv[end]) == "--" ? end + 1 : end;
    RunOptions& how = *counters_app ? counters_options.run : run_options;
    how.command.assign(argv + program, argv + argc);
    if (how.command.empty()) return fail(first + ": no command given");
    return *counters_app ? counters(counters_options) : run(run_options);
}

}  // namespace

int main(int argc, char** argv) {
    return parse_and_do(argc, argv);
}
