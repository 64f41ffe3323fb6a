// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Dispatches. A dispatch begins after all earlier work is done, and it has ended when the call returns. So
// its writes need no further synchronisation.
#include <algorithm>
#include <cstring>

#include "drivers/soft/context/context.h"

namespace terrazzo::soft {

namespace {

/// OpenGL ES 3.1: GL_MAX_COMPUTE_WORK_GROUP_COUNT. Larger counts in an indirect buffer are undefined.
constexpr uint32_t kMaxGroups = 65535;

/// The best code so far. A dispatch of many invocations counts as several draws for the tiered compiler.
const CompiledShader& code_for(const CompiledShader& shader, const uint32_t groups[3], uint32_t invocations) {
    constexpr uint64_t kLikeOneDraw = 1 << 13, kMost = 16;
    const uint64_t all = uint64_t(groups[0]) * groups[1] * groups[2] * invocations;
    for (uint64_t n = 1; n < std::min(all / kLikeOneDraw, kMost); ++n)
        (void)shader.current();
    return shader.current();
}

}  // namespace

/// False: there is nothing to run.
bool SoftContext::find_groups(const pipe::DispatchInfo& info, uint32_t groups[3]) {
    std::copy_n(info.groups, 3, groups);
    if (info.indirect.resource) {
        const SoftResource& r = soft(*info.indirect.resource);
        if (info.indirect.offset_B > r.size_B() || r.size_B() - info.indirect.offset_B < sizeof(uint32_t[3]))
            return false;
        std::memcpy(groups, r.data() + info.indirect.offset_B, sizeof(uint32_t[3]));
    }
    for (unsigned i = 0; i < 3; ++i)
        groups[i] = std::min(groups[i], kMaxGroups);
    return groups[0] && groups[1] && groups[2];
}

void SoftContext::dispatch(const pipe::DispatchInfo& info) {
    if (!program_ || !program_->compute) return;
    counters_.count(SoftCounter::Dispatches);
    finish();
    stores_ = false;
    // A lost robust context stays lost until reset_status() has reported it.
    if (!robust_) limit_.forgive();
    Workgroups w;
    if (!find_groups(info, w.args.groups)) return;
    const pipe::Stage stage = pipe::Stage::Compute;
    w.code = &code_for(*program_->compute, w.args.groups, program_->local_ids->count());
    w.ids = program_->local_ids.get();
    w.shared_B = program_->shared_B;
    auto storage = std::make_unique<Storage>();
    fill_storage(stage, *w.code, storage.get());
    w.args.watch = &limit_.watch();
    w.args.uniforms = uniforms_of(stage, program_->uniform_dw[stage]);
    w.args.textures = textures_[stage].units;
    w.args.blocks = padded_blocks(stage, *w.code);
    w.args.buffers = storage->buffers;
    w.args.images = storage->images;
    wait_for_others(stage, *w.code, program_->sampler_count[stage]);
    if (!dispatcher_) dispatcher_ = std::make_unique<Dispatcher>(screen_.pool());
    limit_.begin_draw();
    const struct End {
        TimeLimit& limit;
        ~End() { limit.end_draw(); }
    } end{limit_};
    dispatcher_->run(w);
}

}  // namespace terrazzo::soft
