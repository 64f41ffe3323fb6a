// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/factory.h"

#include <new>

#include "drivers/soft/asmjit/tier1.h"
#include "drivers/soft/code/tiers.h"
#include "drivers/soft/jit/jit.h"
#include "drivers/soft/screen/screen.h"
#include "winsys/drm/sync_file.h"

namespace terrazzo::soft {

namespace {

/// In addition to the context's own disk cache. In memory, only code that programs compile repeatedly
/// matters.
std::shared_ptr<shaders::ShaderCache> code_cache(const SoftOptions& options) {
    if (!options.code_cache) return nullptr;
    shaders::CacheOptions o = shaders::cache_options_from_environment(size_t(8) << 20);
    if (!o.memory_limit_B) return nullptr;
    return std::make_shared<shaders::ShaderCache>(std::move(o));
}

/// The tiered compiler: asmjit (else the interpreter) first, LLVM in the background; or those of them that
/// the build has.
std::unique_ptr<ShaderCompiler> create_compiler(const SoftOptions& options, const pipe::Log& log) {
    if (options.force_interpreter) return create_interpreter_compiler();
    const std::shared_ptr<shaders::ShaderCache> cache = code_cache(options);
    const auto notice = std::make_shared<SlowNotice>(log);
    auto quick = create_tier1_compiler({cache, CodeMapping::Any, notice});
    auto optimising = create_jit_compiler(
        {.cache = cache, .notice = notice, .interprets = false, .has_first = quick != nullptr});
    if (!quick && !optimising) return create_interpreter_compiler();
    return create_tiered_compiler(std::move(quick), std::move(optimising), {});
}

}  // namespace

std::unique_ptr<pipe::Screen> create_screen(const SoftOptions& options, const pipe::Log& log) {
    try {
        std::unique_ptr<ShaderCompiler> compiler = create_compiler(options, log);
        if (!compiler) return nullptr;
        auto screen = std::make_unique<SoftScreen>(std::move(compiler), options.threads, log,
                                                   options.executor, options.memory);
        SyncFile signalled(winsys::create_signalled_sync_file(options.idle_dmabuf));
        if (signalled.fd() >= 0)
            screen->use_signalled(std::make_shared<const SyncFile>(std::move(signalled)));
        return screen;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

}  // namespace terrazzo::soft
