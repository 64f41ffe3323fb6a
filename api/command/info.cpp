// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// `terrazzo info`: opens EGL_DEFAULT_DISPLAY like a program, and reports the results and their reasons.
#include <cstdio>

#include "api/command/commands.h"
#include "api/command/facts.h"
#include "api/command/json_text.h"

namespace terrazzo::command {
namespace {

void print_list(const char* title, const std::vector<std::string>& list) {
    std::printf("\n%s (%zu)\n", title, list.size());
    for (const std::string& s : list)
        std::printf("  %s\n", s.c_str());
}

void print_text(const Facts& r, bool verbose) {
    for (const Fact& f : r.list) {
        std::printf("%-13s %s", f.label, f.value.c_str());
        std::printf(f.why.empty() ? "\n" : "   (%s)\n", f.why.c_str());
    }
    if (!verbose) return;
    print_list("Devices (TERRAZZO_DEVICE, run --device)", r.devices);
    print_list("Devices that complete work without doing it", r.noop_devices);
    print_list("EGL client extensions", r.client_extensions);
    print_list("EGL display extensions", r.display_extensions);
    print_list("OpenGL ES extensions", r.gl_extensions);
    print_list("EGL configs", r.configs);
}

void print_json_list(const char* key, const std::vector<std::string>& list) {
    std::printf(",\n  \"%s\": [", key);
    for (size_t i = 0; i < list.size(); ++i)
        std::printf("%s\n    %s", i ? "," : "", json_quoted(list[i]).c_str());
    std::printf("%s]", list.empty() ? "" : "\n  ");
}

void print_json(const Facts& r, bool verbose) {
    std::printf("{");
    for (size_t i = 0; i < r.list.size(); ++i) {
        const Fact& f = r.list[i];
        std::printf("%s\n  \"%s\": %s", i ? "," : "", f.key, json_quoted(f.value).c_str());
        if (!f.why.empty()) std::printf(",\n  \"%s_reason\": %s", f.key, json_quoted(f.why).c_str());
    }
    if (verbose) {
        print_json_list("devices", r.devices);
        print_json_list("noop_devices", r.noop_devices);
        print_json_list("egl_client_extensions", r.client_extensions);
        print_json_list("egl_display_extensions", r.display_extensions);
        print_json_list("gl_extensions", r.gl_extensions);
        print_json_list("egl_configs", r.configs);
    }
    std::printf("\n}\n");
}

}  // namespace

int list_devices() {
    std::vector<std::string> names, noop_names;
    std::string why;
    if (!collect_devices(&names, &noop_names, &why)) {
        std::fprintf(stderr, "terrazzo help: %s\n", why.c_str());
        return 1;
    }
    names.insert(names.end(), noop_names.begin(), noop_names.end());
    for (const std::string& name : names)
        std::printf("%s\n", name.c_str());
    return std::fflush(stdout) == 0 ? 0 : 1;
}

int info(const InfoOptions& options) {
    Facts facts;
    std::string why;
    if (!collect_facts(&facts, &why)) {
        std::fprintf(stderr, "terrazzo info: %s\n", why.c_str());
        return 1;
    }
    if (options.json)
        print_json(facts, options.verbose);
    else
        print_text(facts, options.verbose);
    return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace terrazzo::command
