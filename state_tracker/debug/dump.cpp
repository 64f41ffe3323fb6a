// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "state_tracker/debug/dump.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "shaders/cache/cache.h"
#include "winsys/environment/environment.h"
#include "winsys/environment/file_size.h"

namespace terrazzo::st {

namespace {

/// Appends shader text. A space before a bracket at the beginning of a line keeps it from starting a section.
void append_shader(std::string_view source, std::string* out) {
    bool begins = true;
    for (const char c : source) {
        if (begins && c == '[') *out += ' ';
        *out += c;
        begins = c == '\n';
    }
    if (!begins) *out += '\n';
}

}  // namespace

std::string shader_test_text(std::span<const LinkStage> stages) {
    std::string out = "[require]\nGLSL ES >= 1.00\n";
    for (const LinkStage& s : stages) {
        out += std::string("\n[") + stage_of(s.shader->type).name + " shader]\n";
        append_shader(s.source, &out);
    }
    return out;
}

void dump_program(const std::string& folder, std::span<const LinkStage> stages) {
    const std::string text = shader_test_text(stages);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const std::string name = folder + "/" + shaders::CacheKey::of({text}).hex();
    if (std::filesystem::exists(name + ".shader_test", error)) return;
    // Other processes may read the folder, so the file appears there in one step, complete.
    const std::string unfinished = name + "." + std::to_string(getpid());
    const winsys::FileSizeSignalBlock no_signal;
    std::FILE* const file = std::fopen(unfinished.c_str(), "wbxe");
    if (!file) {
        winsys::report_value(winsys::Variable::ShaderDump, "no file can be created there",
                             std::strerror(errno));
        return;
    }
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if (std::fclose(file) == 0 && written)
        std::filesystem::rename(unfinished, name + ".shader_test", error);
    else
        std::filesystem::remove(unfinished, error);
}

}  // namespace terrazzo::st
