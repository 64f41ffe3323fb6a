// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/context.h"

namespace terrazzo::mali {

namespace {

/// Vertex streams are handed over when they have grown to this, at the next end of a pass.
constexpr uint64_t kMuchRecorded_B = 1 << 20;

}  // namespace

MaliContext::~MaliContext() {
    submit_last();
}

void MaliContext::begin_render_pass(const pipe::RenderPassDesc& desc) {
    if (pass_.continues(desc)) {
        in_pass_ = true;
        note_image_changes();
        return pass_.go_on(desc);
    }
    end_pass();
    legalize(desc);
    ++passes_;
    in_pass_ = true;
    if (recorder_.vertex.emitted_B() > kMuchRecorded_B || recorder_.is_awaited()) {
        in_pass_ = false;
        (void)submit();
        in_pass_ = true;
    }
    pass_.begin(recorder_, desc);
    note_image_changes();
    touch_pass();
}

}  // namespace terrazzo::mali
