// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/shader_db_compile.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "drivers/vendors/compilers.h"
#include "drivers/vendors/list.h"
#include "shaders/compile.h"
#include "state_tracker/programs/shader_extensions.h"
#include "winsys/clock.h"

namespace terrazzo::command::shader_db {

namespace {

double thread_time_us() {
    return double(winsys::clock_ns(CLOCK_THREAD_CPUTIME_ID)) / 1e3;
}

/// The first error of a log, as one line of printable characters.
std::string one_line(std::string_view log) {
    const size_t error = log.find("ERROR:");
    if (error != log.npos) log.remove_prefix(error);
    std::string out(log.substr(0, log.find('\n')));
    for (char& c : out)
        if (c < ' ' || c > '~') c = '?';
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
}

constexpr int kNewestEssl = 320;

/// Null: `why` is the front end's error. `essl`: the shaders' version.
std::shared_ptr<const shaders::LinkedProgram> build(const Source& source, std::string* why, int* essl) {
    shaders::CompileOptions options;
    options.extensions = st::kShaderExtensionNames;
    options.max_version = kNewestEssl;
    std::vector<std::shared_ptr<const shaders::CompiledShader>> compiled;
    std::vector<const shaders::CompiledShader*> stages;
    const auto add = [&](ir::Stage stage, const char* name, const std::string& text) {
        options.stage = stage;
        const shaders::CompileResult r = shaders::compile(text, options);
        if (!r.shader) *why = std::string(name) + " shader: " + one_line(r.log);
        if (!r.shader) return false;
        *essl = r.shader->version;
        stages.push_back(compiled.emplace_back(r.shader).get());
        return true;
    };
    const bool ok = source.compute.empty() ? add(ir::Stage::Vertex, "vertex", source.vertex) &&
                                                 add(ir::Stage::Fragment, "fragment", source.fragment)
                                           : add(ir::Stage::Compute, "compute", source.compute);
    if (!ok) return nullptr;
    shaders::LinkResult linked = shaders::link(stages, {});
    if (!linked.program) *why = "does not link: " + one_line(linked.log);
    return linked.program;
}

/// `es3`: a feature of it that the device lacks is not a failure.
void compile_on(const pipe::OfflineCompiler& device, const std::string& name,
                const pipe::ProgramDesc& program, bool es3, Results* out) {
    bool any = false;
    for (unsigned part = 0; part < device.parts().size(); ++part) {
        const double begin_us = thread_time_us();
        pipe::OfflineCode code = device.compile(program, part);
        // Rounded to the precision of files.
        const double time_us = std::round((thread_time_us() - begin_us) * 10) / 10;
        if (!code.present) continue;
        any = true;
        const char* const part_name = device.parts()[part];
        if (!code.error.empty()) {
            (es3 ? out->skipped : out->failed)
                .push_back({name, device.name(), part_name, one_line(code.error)});
            continue;
        }
        out->rows.push_back({.name = name,
                             .device = device.name(),
                             .part = part_name,
                             .instructions = code.instructions,
                             .loops = code.loops,
                             .registers = code.registers,
                             .threads = code.threads,
                             .spills = code.spills,
                             .code_B = code.code_B,
                             .cycles = std::move(code.cycles),
                             .time_us = time_us});
    }
    if (!any) out->skipped.push_back({name, device.name(), {}, "the device has no such shaders"});
}

template <class T>
void append(std::vector<T>&& from, std::vector<T>* into) {
    std::move(from.begin(), from.end(), std::back_inserter(*into));
}

}  // namespace

std::vector<const pipe::OfflineCompiler*> all_devices() {
    std::vector<const pipe::OfflineCompiler*> out;
    [[maybe_unused]] const auto add = [&](std::span<const pipe::OfflineCompiler* const> vendor) {
        out.insert(out.end(), vendor.begin(), vendor.end());
    };
#define TERRAZZO_ROW(vendor) add(vendor::offline_compilers());
    TERRAZZO_VENDORS(TERRAZZO_ROW)
#undef TERRAZZO_ROW
    return out;
}

bool find_devices(std::span<const std::string> names, std::vector<const pipe::OfflineCompiler*>* out,
                  std::string* why) {
    const auto all = all_devices();
    if (all.empty()) {
        *why = "this build has no compiler for a GPU: configure it with -Ddrivers=";
        return false;
    }
    std::vector<const pipe::OfflineCompiler*> found;
    for (const std::string& name : names) {
        bool known = false;
        for (const pipe::OfflineCompiler* device : all) {
            if (name != "all" && name != device->name()) continue;
            known = true;
            if (std::find(found.begin(), found.end(), device) == found.end()) found.push_back(device);
        }
        if (known) continue;
        *why = name + ": no such device; there is: all";
        for (const pipe::OfflineCompiler* device : all)
            *why += std::string(" ") + device->name();
        return false;
    }
    if (found.empty()) found.push_back(all.front());
    *out = std::move(found);
    return true;
}

Results compile_source(const std::string& name, const Source& source,
                       std::span<const pipe::OfflineCompiler* const> devices) {
    Results out;
    if (!source.skip.empty()) {
        out.skipped.push_back({name, {}, {}, source.skip});
        return out;
    }
    std::string why = source.error;
    int essl = 0;
    const auto program = why.empty() ? build(source, &why, &essl) : nullptr;
    if (!program) {
        if (source.may_fail)
            out.skipped.push_back({name, {}, {}, source.may_fail_reason});
        else
            out.failed.push_back({name, {}, {}, why});
        return out;
    }
    pipe::ProgramDesc desc;
    for (size_t stage = 0; stage < desc.stages.size(); ++stage)
        desc.stages[stage] = program->stages[stage].get();
    for (const pipe::OfflineCompiler* device : devices)
        compile_on(*device, name, desc, essl >= 300, &out);
    return out;
}

Results compile_all(std::span<const Input> inputs, std::span<const pipe::OfflineCompiler* const> devices,
                    const LoadOptions& options, unsigned threads, Progress& progress) {
    std::vector<Results> each(inputs.size());
    std::atomic<size_t> next{0};
    const auto work = [&] {
        for (size_t i; (i = next.fetch_add(1)) < inputs.size();) {
            each[i] = compile_source(inputs[i].name, load(inputs[i], options), devices);
            progress.step(inputs[i].name, !each[i].skipped.empty(), !each[i].failed.empty());
        }
    };
    std::vector<std::thread> helpers;
    for (unsigned i = 1; i < threads; ++i)
        helpers.emplace_back(work);
    work();
    for (std::thread& t : helpers)
        t.join();
    Results out;
    for (const pipe::OfflineCompiler* device : devices) {
        out.devices.push_back({device->name(), {}});
        for (const pipe::OfflineUnit& unit : device->units())
            out.devices.back().units.push_back(unit.name);
    }
    for (Results& r : each) {
        append(std::move(r.rows), &out.rows);
        append(std::move(r.skipped), &out.skipped);
        append(std::move(r.failed), &out.failed);
    }
    sort(&out);
    return out;
}

}  // namespace terrazzo::command::shader_db
