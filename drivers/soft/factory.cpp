// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/factory.h"

#include <new>

#include "drivers/soft/screen.h"

namespace terrazzo::soft {

std::unique_ptr<pipe::Screen> create_screen(const SoftOptions& options, const pipe::Log& log) {
    try {
        std::unique_ptr<ShaderCompiler> compiler;
        if (!options.force_interpreter) compiler = create_jit_compiler();
        if (!compiler) compiler = create_interpreter_compiler();
        if (!compiler) return nullptr;
        return std::make_unique<SoftScreen>(std::move(compiler), options.threads, log, options.executor,
                                            options.memory);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

}  // namespace terrazzo::soft
