// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/screen.h"

#include "drivers/agx/context.h"
#include "drivers/agx/factory.h"

namespace terrazzo::agx {

namespace {

constexpr screens::Limits kLimits = {.color_targets = 4,
                                     .samples = kMaxSamples,
                                     .stage_samplers = pipe::kMaxSamplers,
                                     .combined_samplers = 2 * pipe::kMaxSamplers,
                                     .line_width_px = 16,
                                     .point_size_px = 511.95f};

}  // namespace

AgxScreen::AgxScreen(pipe::Ref<Device> on)
    : DeviceScreen(std::move(on), screens::make_context<AgxContext>, kLimits) {
    caps_.framebuffer_fetch = caps_.advanced_blend = false;
    make_defaults();
}

AgxScreen::~AgxScreen() = default;

}  // namespace terrazzo::agx

template std::unique_ptr<terrazzo::pipe::Screen> terrazzo::screens::create_screen<terrazzo::agx::AgxScreen>(
    std::unique_ptr<winsys::Drm>, const pipe::Log&, std::string*);
