// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The ir3 compiler's code for a corpus (folders and files as `terrazzo shader-db` takes them), for other
// disassemblers:
//   corpus_code OUT FOLDER...
// writes the code of all shaders to OUT, one after another, and our text of it, one line for each
// instruction, to stdout. Shaders that are refused or are not for OpenGL ES are omitted; their number is
// printed to stderr.
#include <cstdio>
#include <fstream>

#include "api/command/shader_db_input.h"
#include "drivers/adreno/compiler/compile.h"
#include "shaders/compile.h"
#include "state_tracker/programs/shader_extensions.h"

using namespace terrazzo;

namespace {

std::shared_ptr<const shaders::LinkedProgram> build(const command::shader_db::Source& source) {
    shaders::CompileOptions options;
    options.extensions = st::kShaderExtensionNames;
    options.max_version = 320;
    std::vector<std::shared_ptr<const shaders::CompiledShader>> compiled;
    std::vector<const shaders::CompiledShader*> stages;
    const std::pair<ir::Stage, const std::string*> texts[] = {{ir::Stage::Vertex, &source.vertex},
                                                              {ir::Stage::Fragment, &source.fragment},
                                                              {ir::Stage::Compute, &source.compute}};
    for (const auto& [stage, text] : texts) {
        if (text->empty()) continue;
        options.stage = stage;
        compiled.push_back(shaders::compile(*text, options).shader);
        if (!compiled.back()) return nullptr;
        stages.push_back(compiled.back().get());
    }
    return shaders::link(stages, {}).program;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<command::shader_db::Input> inputs;
    std::string why;
    const std::vector<std::string> arguments(argv + std::min(argc, 2), argv + argc);
    if (argc < 3 || !command::shader_db::find_inputs(arguments, &inputs, &why)) {
        std::fprintf(stderr, "corpus_code: %s\n", argc < 3 ? "corpus_code OUT FOLDER..." : why.c_str());
        return 1;
    }
    std::ofstream out(argv[1], std::ios::binary);
    unsigned shaders = 0, refused = 0;
    const auto add = [&](const ir::Shader& s, adreno::compiler::Variant variant) {
        const adreno::compiler::Binary b = adreno::compiler::compile(s, {.variant = variant});
        (b.error.empty() ? shaders : refused)++;
        out.write(reinterpret_cast<const char*>(b.code.data()),
                  std::streamsize(b.code.size() * sizeof b.code[0]));
        const std::string text = adreno::isa::disassemble(b.code);
        std::fputs(text.c_str(), stdout);
        if (!text.empty() && text.back() != '\n') std::fputc('\n', stdout);
    };
    for (const command::shader_db::Input& input : inputs) {
        const command::shader_db::Source source = command::shader_db::load(input, {.desktop = true});
        if (!source.skip.empty() || !source.error.empty()) continue;
        const auto program = build(source);
        if (!program) continue;
        for (const ir::Stage stage : {ir::Stage::Vertex, ir::Stage::Fragment, ir::Stage::Compute})
            if (program->stages[size_t(stage)]) {
                const ir::Shader& s = *program->stages[size_t(stage)];
                add(s, adreno::compiler::Variant::Draw);
                if (stage == ir::Stage::Vertex) add(s, adreno::compiler::Variant::Binning);
            }
    }
    std::fprintf(stderr, "%u shaders, %u refused\n", shaders, refused);
    return out ? 0 : 1;
}
