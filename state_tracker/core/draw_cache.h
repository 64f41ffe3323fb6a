// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The draw path's memory: what the pipe was told last. Private to draw.cpp and emit.cpp.
#pragma once

#include "pipe/upload/upload.h"
#include "state_tracker/context.h"
#include "state_tracker/core/program.h"
#include "state_tracker/core/state_cache.h"
#include "state_tracker/core/vertex_fetch.h"

namespace terrazzo::st {

struct Context::DrawCache {
    explicit DrawCache(pipe::Context& pipe) : uploader(pipe) {}

    StateCache<pipe::RasterDesc, pipe::RasterState> rasters;
    StateCache<pipe::DepthStencilDesc, pipe::DepthStencilState> depth_stencils;
    StateCache<pipe::BlendDesc, pipe::BlendState> blends;
    StateCache<pipe::VertexLayoutDesc, pipe::VertexLayout> layouts;
    // Bound, and held so that they stay so.
    pipe::Ref<pipe::RasterState> raster;
    pipe::Ref<pipe::DepthStencilState> depth_stencil;
    pipe::Ref<pipe::BlendState> blend;
    pipe::Ref<pipe::VertexLayout> layout;
    pipe::Ref<Executable> executable;
    std::array<uint64_t, pipe::kStageCount> block_stamp{};  // of `executable`, as sent
    bool samplers_agree = true;                             // of the current executable

    pipe::Uploader uploader;
    VertexFetch fetch;
    uint64_t buffer_stamp = 0;  // ShareGroup::buffer_stamp, as seen
    // The element array buffer of the current vertex array.
    pipe::Ref<pipe::Resource> index_resource;
    uint64_t index_size_B = 0;
    bool index_mapped = false;
    pipe::UploadSlice index_upload;  // of the last draw
};

/// Checks what a draw checks beside its arguments and gets a render pass and all changed state to the pipe;
/// buffers are left to the caller where VertexFetch::has_client_arrays. False: nothing is to be drawn; the
/// error, if it is one, is recorded.
[[nodiscard]] bool prepare_draw(Context& ctx, const char* command);

}  // namespace terrazzo::st
