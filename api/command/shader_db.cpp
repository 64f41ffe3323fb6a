// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// `terrazzo shader-db`: collects results from compilers and from files of earlier runs, and shows them.
#include <algorithm>
#include <cstdio>
#include <thread>

#include "api/command/commands.h"
#include "api/command/file.h"
#include "api/command/shader_db_compile.h"
#include "api/command/shader_db_json.h"
#include "api/command/shader_db_text.h"

namespace terrazzo::command {

using namespace shader_db;

namespace {

constexpr int kFailed = 1, kBadCommandLine = 2;

int fail(int code, const std::string& what) {
    std::fprintf(stderr, "terrazzo: shader-db: %s\n", what.c_str());
    return code;
}

bool is_results(const std::string& file) {
    return file.ends_with(".json");
}

bool read_results(const std::string& file, Results* out, std::string* why) {
    std::string text;
    if (read_file(file, &text, why) && from_json(text, out, why)) return true;
    *why = file + ": " + *why;
    return false;
}

/// The command line's request, checked.
struct Plan {
    std::vector<std::string> files;  // with results
    std::vector<Input> inputs;       // to compile: those of this shard
    std::vector<const pipe::OfflineCompiler*> devices;
    Shard shard;
    unsigned threads = 1;
};

bool make_plan(const ShaderDbOptions& o, Plan* plan, std::string* why) {
    std::vector<std::string> sources;
    for (const std::string& file : o.files)
        (is_results(file) ? plan->files : sources).push_back(file);
    if (o.files.empty()) {
        *why = "no files or folders given";
        return false;
    }
    if (o.merge && !sources.empty()) {
        *why = "--merge: " + sources[0] + " is no .json";
        return false;
    }
    if (!o.shard.empty()) {
        const auto shard = parse_shard(o.shard);
        if (!shard) {
            *why = "--shard " + o.shard + ": not I/N with I from 1 to N";
            return false;
        }
        plan->shard = *shard;
    }
    if (!find_devices(o.devices, &plan->devices, why) || !find_inputs(sources, &plan->inputs, why))
        return false;
    std::erase_if(plan->inputs, [&](const Input& i) { return !plan->shard.has(i.name); });
    plan->threads = o.threads ? o.threads : std::max(1u, std::thread::hardware_concurrency());
    return true;
}

Results compile(const Plan& plan, const ShaderDbOptions& o) {
    Progress progress(plan.inputs.size(), o.quiet ? Progress::Style::Silent : Progress::style_of_stderr(),
                      stderr);
    Results out = compile_all(plan.inputs, plan.devices, {.desktop = o.desktop}, plan.threads, progress);
    if (plan.shard.count > 1) out.shards = {plan.shard.count, {plan.shard.index}};
    return out;
}

/// The first of `files` is used unchanged, so that shards can be merged.
bool gather(const Plan& plan, const ShaderDbOptions& o, Results* out, std::string* why) {
    const bool compiles = plan.files.size() != o.files.size();
    if (compiles) *out = compile(plan, o);
    for (size_t i = 0; i < plan.files.size(); ++i) {
        Results more;
        if (!read_results(plan.files[i], &more, why)) return false;
        if (i == 0 && !compiles) {
            *out = std::move(more);
        } else if (!merge(std::move(more), out, why)) {
            *why = plan.files[i] + ": " + *why;
            return false;
        }
    }
    return true;
}

/// An explanation for each kind of device in the results, whether they come from this run or from files.
std::string column_keys(const Results& results) {
    std::string out;
    std::vector<std::vector<std::string>> explained;
    for (const DeviceUnits& device : results.devices)
        for (const pipe::OfflineCompiler* compiler : all_devices())
            if (device.name == compiler->name() && std::ranges::count(explained, device.units) == 0) {
                explained.push_back(device.units);
                out += (out.empty() ? "\n" : "") + column_key(*compiler);
            }
    return out;
}

bool show(const ShaderDbOptions& o, const Results& results, const std::vector<Comparison>& changes,
          std::string* why) {
    const auto write = [&](const std::string& file, const std::string& text) {
        if (write_file(file, text, why)) return true;
        *why = file + ": " + *why;
        return false;
    };
    if (!o.json.empty() && !write(o.json, to_json(results, {.times = !o.no_times}))) return false;
    if (!o.html.empty() && !write(o.html, to_html(results, changes))) return false;
    if (o.json == "-" || o.html == "-") return true;  // stdout must have nothing else then
    if (!o.compare.empty()) return write("-", to_text(changes));
    return write("-", to_text(results, !o.quiet) + (o.quiet ? "" : column_keys(results)));
}

}  // namespace

int measure_shaders(const ShaderDbOptions& options) {
    std::string why;
    Plan plan;
    if (!make_plan(options, &plan, &why)) return fail(kBadCommandLine, why);
    Results before, results;
    if (!options.compare.empty() && !read_results(options.compare, &before, &why)) return fail(kFailed, why);
    if (!gather(plan, options, &results, &why)) return fail(kFailed, why);
    for (const Note& failure : results.failed)
        std::fprintf(stderr, "terrazzo: shader-db: %s\n", shader_db::to_text(failure).c_str());
    std::vector<Comparison> changes;
    if (!options.compare.empty()) changes = compare(before, results);
    if (!show(options, results, changes, &why)) return fail(kFailed, why);
    return results.failed.empty() ? 0 : kFailed;
}

}  // namespace terrazzo::command
