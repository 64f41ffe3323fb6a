// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Chooses the engine.
#include "pipe/blit/blit.h"

#include "pipe/blit/blit_plan.h"

namespace terrazzo::pipe {

namespace {

// Whether copy_region has the same result: same size and view, every aspect and sample, nothing mirrored.
// Copies within one image may overlap, and are left to an engine with a temporary copy.
bool is_straight_copy(const BlitInfo& info, const detail::BlitPlan& plan) {
    const bool same_image = info.src.resource == info.dst.resource && info.src.level == info.dst.level;
    if (same_image || !plan.whole_pixels || plan.value != detail::BlitValue::Raw) return false;
    return !plan.x.is_scaled() && !plan.y.is_scaled() && !plan.z.is_scaled() && !plan.x.is_mirrored() &&
           !plan.y.is_mirrored() && !plan.z.is_mirrored();
}

}  // namespace

BlitStatus blit(Context& context, const BlitInfo& info, std::span<BlitEngine* const> engines,
                BlitPath* path) {
    const auto say = [&](BlitPath p) {
        if (path) *path = p;
    };
    const detail::BlitPlan plan = detail::plan_blit(info);
    if (!plan.possible) {
        say(BlitPath::Impossible);
        return BlitStatus::Unsupported;
    }
    if (plan.empty()) {
        say(BlitPath::Nothing);
        return BlitStatus::Ok;
    }
    if (context.try_blit(info)) {
        say(BlitPath::Driver);
        return BlitStatus::Ok;
    }
    if (is_straight_copy(info, plan)) {
        say(BlitPath::Copy);
        const Box box = {plan.x.src_begin,          plan.y.src_begin,          plan.z.src_begin,
                         plan.x.end - plan.x.begin, plan.y.end - plan.y.begin, plan.z.end - plan.z.begin};
        context.copy_region(*info.dst.resource, info.dst.level, plan.x.begin, plan.y.begin, plan.z.begin,
                            *info.src.resource, info.src.level, box);
        return BlitStatus::Ok;
    }
    for (BlitEngine* engine : engines) {
        if (!engine || !engine->can(info)) continue;
        say(BlitPath::Engine);
        return engine->run(context, info);
    }
    say(BlitPath::Cpu);
    return blit_cpu(context, info);
}

}  // namespace terrazzo::pipe
