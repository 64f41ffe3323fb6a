// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// For whoever records work of its own, or submits, while a pass is open.
#pragma once

#include <array>
#include <exception>

#include "drivers/mali/context.h"

namespace terrazzo::mali {

/// A pass that is open goes on in another recording, loading what it has drawn.
class MaliContext::OpenPass {
  public:
    explicit OpenPass(MaliContext& c) : context_(c), open_(c.in_pass_) {
        if (!open_) return;
        desc_ = c.pass_.desc();
        // Objects that the pass alone holds live until it begins again.
        for (uint32_t i = 0; i < desc_.color_count; ++i) {
            held_[i] = pipe::Ref<pipe::Resource>(desc_.color[i].resource);
            desc_.color[i].load = pipe::LoadOp::Load;
        }
        held_.back() = pipe::Ref<pipe::Resource>(desc_.depth_stencil.resource);
        desc_.depth_stencil.load = desc_.stencil_load = pipe::LoadOp::Load;
    }
    OpenPass(const OpenPass&) = delete;
    OpenPass& operator=(const OpenPass&) = delete;
    ~OpenPass() noexcept(false) {
        context_.dirty_ = kAll;
        if (open_ && std::uncaught_exceptions() == exceptions_)
            context_.pass_.begin(context_.recorder_, desc_);
    }

  private:
    MaliContext& context_;
    const bool open_;
    const int exceptions_ = std::uncaught_exceptions();
    pipe::RenderPassDesc desc_;
    std::array<pipe::Ref<pipe::Resource>, pipe::kMaxColorTargets + 1> held_;
};

}  // namespace terrazzo::mali
