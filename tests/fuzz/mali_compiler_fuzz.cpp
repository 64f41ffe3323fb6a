// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fuzz target: texts of programs (program_texts.h) compiled for the Mali chips. A program that links must be
// compiled, or be refused with a reason.
#include <cstdio>
#include <cstdlib>

#include "drivers/mali/shader_db.h"
#include "shaders/compile.h"
#include "state_tracker/programs/shader_extensions.h"
#include "tests/fuzz/program_texts.h"
#include "tests/fuzz/target.h"

using namespace terrazzo;

int fuzz_one(const uint8_t* data, size_t size) {
    const fuzz::ProgramTexts texts = fuzz::split_program({reinterpret_cast<const char*>(data), size});
    shaders::CompileOptions options;
    options.extensions = st::kShaderExtensionNames;
    options.stage = ir::Stage::Vertex;
    const shaders::CompileResult vertex = shaders::compile(texts[fuzz::Stage::Vertex], options);
    options.stage = ir::Stage::Fragment;
    const shaders::CompileResult fragment = shaders::compile(texts[fuzz::Stage::Fragment], options);
    if (!vertex.shader || !fragment.shader) return 0;
    const shaders::CompiledShader* const stages[] = {vertex.shader.get(), fragment.shader.get()};
    const shaders::LinkResult linked = shaders::link(stages, {});
    if (!linked.program) return 0;
    pipe::ProgramDesc desc;
    for (size_t stage = 0; stage < desc.stages.size(); ++stage)
        desc.stages[stage] = linked.program->stages[stage].get();
    for (const pipe::OfflineCompiler* device : mali::offline_compilers())
        for (unsigned part = 0; part < device->parts().size(); ++part) {
            const pipe::OfflineCode code = device->compile(desc, part);
            if (!code.present || !code.error.empty() || code.code_B) continue;
            std::fprintf(stderr, "mali_compiler_fuzz: neither code nor a reason\n");
            std::abort();
        }
    return 0;
}
