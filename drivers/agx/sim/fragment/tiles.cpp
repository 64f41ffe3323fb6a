// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The fragment work of a render. Areas of 32x32 pixels are drawn on several threads; an area is one tile of
// the tilebuffer, or two or four that follow each other.
#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "drivers/agx/sim/fragment/picture.h"
#include "drivers/agx/sim/fragment/shade.h"
#include "drivers/agx/sim/resources/zls.h"
#include "winsys/uapi/asahi.h"

namespace terrazzo::agx::sim {

namespace {

using pipe::raster::PixelRect;
/// A primitive and the number of its draw.
struct TilePrimitive : units::FragmentPrimitive {
    uint32_t draw = 0;
};

constexpr int32_t kArea_px = 32;
constexpr uint32_t kMostSize_px = 16384, kMostLayers = 2048;
constexpr size_t kMostPrimitives = size_t(1) << 23;

/// A thread's state.
struct Worker {
    explicit Worker(Machine& m) : core(m.host.space(), units), shader(core), memory(m.host.space()) {}
    void begin(Machine& m) {
        core.memory().refresh();
        core.programs().begin_job();
        core.turn_limit = m.turn_limit;
        core.host = &m.host;
        memory.refresh();
        units.forget();
        visible.clear();
    }
    FragmentUnits units;
    Core core;
    TileShader shader;
    Window memory;
    Tile tile;
    std::vector<uint32_t> bin;      // the primitives of the area
    std::vector<uint64_t> visible;  // results of occlusion queries
};

/// A program at the begin or the end of tiles.
struct TileWork {
    std::optional<BoundProgram> program;
    std::optional<ZlsSurface> depth, stencil;  // what is loaded or stored
};

class Engine final : public TileEngine {
  public:
    explicit Engine(Machine& machine) : machine_(machine) {}

    bool run(const RenderCommand& command, const BinnedRender& render, TilePass pass, Fault* fault) override {
        command_ = &command;
        pass_ = pass;
        while (workers_.size() < machine_.threads)
            workers_.push_back(std::make_unique<Worker>(machine_));
        for (const auto& w : workers_)
            w->begin(machine_);
        if (!decode_render(fault)) return false;
        draws_.clear();
        draws_.resize(render.draws.size());
        Worker& first = *workers_.front();
        for (size_t n = 0; n < draws_.size(); ++n)
            if (!decode_draw(command, state_, *render.draws[n], first.core, first.memory, &draws_[n], fault))
                return false;
        if (!set_up(render, fault)) return false;
        for (unsigned layer = 0; layer < command.layers; ++layer)
            if (!run_layer(render, layer, fault)) return false;
        stored_ = true;
        return write_queries(fault);
    }

    bool take_picture(host::Picture* out, std::string* why) override {
        if (!std::exchange(stored_, false) || !end_.program) return false;
        return picture_of(end_.program->bindings, machine_.memory, out, why);
    }

    void count(host::Counters* c) override {
        host::Counters now;
        for (const auto& w : workers_) {
            now.fragments += w->shader.counts.fragments;
            now.samples_passed += w->shader.counts.samples_passed;
            now.instructions += w->core.stats().instructions;
            now.texture_fetches += w->units.texture_fetches();
        }
        *c += now - std::exchange(counted_, now);
    }

  private:
    template <class... Part>
    static bool refuse_command(Fault* fault, const Part&... part) {
        return fail(fault, Exception::BadCommand, "render command: ", part...);
    }
    bool bind(winsys::virt::asahi::TileProgram of, const char* what, TileWork* out, Fault* fault) {
        hw::Pipeline pipeline;
        hw::Counts counts;
        (void)unpack(&of.usc, &pipeline);  // some low bits have no known meaning
        (void)unpack(&of.rsrc_spec, &counts);
        if (!pipeline.address) return true;
        out->program.emplace();
        out->program->bindings.sampler_heap = command_->fragment_sampler_heap;
        out->program->bindings.sampler_heap_count = command_->fragment_sampler_count;
        return bind_program(workers_.front()->core, command_->fragment_usc_base, pipeline, counts, what,
                            &*out->program, fault);
    }

    bool decode_render(Fault* fault) {
        const RenderCommand& c = *command_;
        if (!c.width_px || !c.height_px || c.width_px > kMostSize_px || c.height_px > kMostSize_px)
            return refuse_command(fault, c.width_px, "x", c.height_px, " pixels");
        if (!c.layers || c.layers > kMostLayers) return refuse_command(fault, c.layers, " layers");
        if (c.samples != 1 && c.samples != 2 && c.samples != 4)
            return refuse_command(fault, c.samples, " samples");
        if ((c.utile_width_px != 16 && c.utile_width_px != 32) ||
            (c.utile_height_px != 16 && c.utile_height_px != 32) || c.utile_width_px < c.utile_height_px)
            return refuse_command(fault, "tiles of ", c.utile_width_px, "x", c.utile_height_px, " pixels");
        state_.area = {0, 0, int32_t(c.width_px), int32_t(c.height_px)};
        hw::MultisampleControl positions;
        const uint32_t words[2] = {uint32_t(c.ppp_multisamplectl), uint32_t(c.ppp_multisamplectl >> 32)};
        (void)unpack(words, &positions);
        state_.pattern.count = c.samples;
        for (unsigned n = 0; n < c.samples; ++n) {
            state_.pattern.x[n] = uint8_t(positions.sample[n].x * 16);
            state_.pattern.y[n] = uint8_t(positions.sample[n].y * 16);
        }
        const uint32_t zls[2] = {uint32_t(c.zls_ctrl), uint32_t(c.zls_ctrl >> 32)};
        hw::ZlsControl control;
        (void)unpack(zls, &control);
        state_.depth_format = control.z_format == hw::ZlsFormat::Unorm16 ? units::DepthFormat::Unorm16
                                                                         : units::DepthFormat::Float32;
        begin_ = end_ = {};
        if (!bind(pass_.first ? c.bg : c.partial_bg, "background program", &begin_, fault) ||
            !bind(pass_.last ? c.eot : c.partial_eot, "end-of-tile program", &end_, fault))
            return false;
        hw::ZlsPixels pixels;
        (void)unpack(&c.isp_zls_pixels, &pixels);
        const auto surface = [&](bool wanted, const winsys::virt::asahi::ZlsBuffer& buffer,
                                 bool is_depth) -> std::optional<ZlsSurface> {
            if (!wanted || !buffer.base) return std::nullopt;
            return ZlsSurface{.buffer = buffer,
                              .width_px = pixels.width,
                              .height_px = pixels.height,
                              .samples = c.samples,
                              .is_unorm16 = is_depth && control.z_format == hw::ZlsFormat::Unorm16,
                              .is_stencil = !is_depth,
                              .is_compressed = is_depth ? control.z_compress_1 : control.s_compress_1};
        };
        const bool whole = pass_.first && pass_.last;
        begin_.depth =
            pass_.first ? surface(control.z_load, c.depth.load, true) : surface(true, c.depth.partial, true);
        begin_.stencil = pass_.first ? surface(control.s_load, c.stencil.load, false)
                                     : surface(true, c.stencil.partial, false);
        end_.depth =
            pass_.last ? surface(control.z_store, c.depth.store, true) : surface(true, c.depth.partial, true);
        end_.stencil = pass_.last ? surface(control.s_store, c.stencil.store, false)
                                  : surface(true, c.stencil.partial, false);
        // A later pass loads what this one stores, so that all tiles must be there.
        all_tiles_ = !whole || (c.flags & uapi::kAsahiRenderProcessEmptyTiles);
        return true;
    }

    /// Sets up the primitives of all batches, on several threads.
    bool set_up(const BinnedRender& render, Fault* fault) {
        first_.assign(1, 0);
        for (const BinnedBatch& b : render.batches)
            first_.push_back(first_.back() + b.primitives.size());
        if (first_.back() > kMostPrimitives)
            return fail(fault, Exception::OutOfMemory, "more primitives than the parameter buffer can have");
        primitives_.resize(first_.back());
        const auto run = [&](unsigned, unsigned n, Fault* mine) {
            const BinnedBatch& b = render.batches[n];
            const FragmentDraw& draw = draws_[b.draw];
            for (size_t i = 0; i < b.primitives.size(); ++i) {
                const units::DrawnPrimitive& d = b.primitives[i];
                if (d.view >= draw.scissor.size())
                    return fail(mine, Exception::BadCommand, "draw ", draw.number, ": viewport ", d.view,
                                " is not set");
                TilePrimitive& p = primitives_[first_[n] + i];
                p.draw = uint32_t(b.draw);
                if (!units::set_up_fragments(d, b.outputs, draw.bias,
                                             draw.samples > 1 || !draw.pattern.is_center(),
                                             draw.scissor[d.view], &p))
                    return fail(mine, Exception::BadCommand, "draw ", draw.number,
                                ": a primitive of a vertex that there is not");
            }
            return true;
        };
        return done(run_parts(unsigned(render.batches.size()), run, fault));
    }

    bool run_layer(const BinnedRender& render, unsigned layer, Fault* fault) {
        const auto batches = unsigned(render.batches.size());
        const unsigned threads = threads_for(batches);
        bins_.begin(state_.area, kArea_px, batches, threads);
        const auto list = [&](unsigned worker, unsigned n, Fault*) {
            for (size_t i = first_[n]; i < first_[n + 1]; ++i)
                if (!primitives_[i].bounds.empty() && primitives_[i].layer == layer)
                    bins_.add(worker, primitives_[i].bounds, uint32_t(i));
            bins_.end_part(worker, n);
            return true;
        };
        if (!done(run_parts(batches, list, fault))) return false;
        bins_.join();
        const unsigned areas = all_tiles_ ? bins_.count() : unsigned(bins_.used().size());
        if (!areas) return true;
        const auto run = [&](unsigned worker, unsigned n, Fault* mine) {
            return run_area(*workers_[worker], layer, all_tiles_ ? n : bins_.used()[n], mine);
        };
        return done(units::run_areas(
            areas, machine_.on_threads(units::area_threads(areas, primitives_.size(), machine_.threads)), run,
            [](Fault* mine) { fail_without_memory(mine); }, [&] { return machine_.host.should_stop(); },
            fault));
    }

    bool run_area(Worker& w, unsigned layer, unsigned area, Fault* fault) {
        const PixelRect rect = bins_.rect(area);
        bins_.primitives(area, &w.bin);
        const auto dx = int32_t(command_->utile_width_px), dy = int32_t(command_->utile_height_px);
        for (int32_t y = rect.y0; y < rect.y1; y += dy)
            for (int32_t x = rect.x0; x < rect.x1; x += dx)
                if (!run_tile(w, layer, intersect(rect, {x, y, x + dx, y + dy}), fault)) return false;
        return true;
    }

    bool run_tile(Worker& w, unsigned layer, const PixelRect& rect, Fault* fault) {
        Tile& t = w.tile;
        t.rect = rect;
        t.layer = layer;
        std::string why;
        // All programs have the same shape of the tilebuffer.
        const TileWork& shaped = begin_.program ? begin_ : end_;
        if (shaped.program && !t.colors.begin(shaped.program->shared,
                                              {rect.x0, rect.y0, rect.x0 + int32_t(command_->utile_width_px),
                                               rect.y0 + int32_t(command_->utile_height_px)},
                                              &why))
            return refuse_command(fault, "tilebuffer: ", why);
        if (!load_depth(w, fault)) return false;
        w.shader.begin(t, &w.visible);
        if (begin_.program && !w.shader.fill(*begin_.program, command_->samples, fault)) return false;
        for (const uint32_t i : w.bin) {
            const TilePrimitive& p = primitives_[i];
            if (intersect(p.bounds, rect).empty()) continue;
            if (!w.shader.draw(draws_[p.draw], p, fault)) return false;
        }
        if (!w.shader.flush(fault)) return false;
        if (end_.program && !w.shader.finish(*end_.program, fault)) return false;
        return store_depth(w, fault);
    }

    bool load_depth(Worker& w, Fault* fault) {
        Tile& t = w.tile;
        const uint32_t samples = command_->samples;
        const auto pixels = size_t(t.rect.x1 - t.rect.x0) * size_t(t.rect.y1 - t.rect.y0);
        t.depth.resize(pixels * samples * sizeof(uint32_t));
        t.stencil.resize(pixels * samples);
        const auto width = size_t(t.rect.x1 - t.rect.x0);
        t.zs.depth = {t.depth.data(), width * samples * sizeof(uint32_t),
                      uint32_t(samples * sizeof(uint32_t))};
        t.zs.stencil = {t.stencil.data(), width * samples, samples};
        t.zs.rect = t.rect;
        t.zs.changed = 0;
        std::string why;
        if (begin_.depth) {
            if (!sim::load_depth(w.memory, *begin_.depth, t.layer, t.rect, t.depth.data(), t.zs.depth.row_B,
                                 &why))
                return refused(w, "depth buffer: ", why, fault);
        } else {
            auto* const words = reinterpret_cast<uint32_t*>(t.depth.data());
            std::fill_n(words, pixels * samples, command_->isp_bgobjdepth);
        }
        if (begin_.stencil) {
            return sim::load_stencil(w.memory, *begin_.stencil, t.layer, t.rect, t.stencil.data(),
                                     t.zs.stencil.row_B, &why) ||
                   refused(w, "stencil buffer: ", why, fault);
        }
        std::fill(t.stencil.begin(), t.stencil.end(), uint8_t(command_->isp_bgobjvals));
        return true;
    }
    bool store_depth(Worker& w, Fault* fault) {
        Tile& t = w.tile;
        std::string why;
        if (end_.depth &&
            !sim::store_depth(w.memory, *end_.depth, t.layer, t.rect, t.depth.data(), t.zs.depth.row_B, &why))
            return refused(w, "depth buffer: ", why, fault);
        return !end_.stencil ||
               sim::store_stencil(w.memory, *end_.stencil, t.layer, t.rect, t.stencil.data(),
                                  t.zs.stencil.row_B, &why) ||
               refused(w, "stencil buffer: ", why, fault);
    }
    static bool refused(const Worker& w, const char* what, const std::string& why, Fault* fault) {
        fail(fault, Exception::Unmapped, what, why);
        fault->address = w.memory.fault().va;
        return false;
    }

    /// Adds the samples that have passed to the results in memory.
    bool write_queries(Fault* fault) {
        std::vector<uint64_t> sum;
        for (const auto& w : workers_) {
            if (sum.size() < w->visible.size()) sum.resize(w->visible.size());
            for (size_t n = 0; n < w->visible.size(); ++n)
                sum[n] += w->visible[n];
        }
        for (const FragmentDraw& d : draws_) {
            if (!d.counts || d.query >= sum.size() || !sum[d.query]) continue;
            const uint64_t va = command_->isp_oclqry_base + sizeof(uint64_t) * d.query;
            uint64_t value = 0;
            if (!machine_.memory.read(va, &value, sizeof value))
                return fail_access(fault, machine_.memory, "results of occlusion queries");
            value = d.counts_once ? 1 : value + std::exchange(sum[d.query], 0);
            if (!machine_.memory.write(va, &value, sizeof value))
                return fail_access(fault, machine_.memory, "results of occlusion queries");
        }
        return true;
    }

    unsigned threads_for(unsigned parts) const { return std::clamp(parts, 1u, machine_.threads); }
    template <class Run>
    units::AreaResult run_parts(unsigned parts, Run&& run, Fault* fault) {
        return units::run_areas(
            parts, machine_.on_threads(threads_for(parts)), run,
            [](Fault* mine) { fail_without_memory(mine); }, [&] { return machine_.host.should_stop(); },
            fault);
    }
    /// A stopped command ends without a fault: the host knows that it stopped it.
    static bool done(units::AreaResult r) { return r != units::AreaResult::Failed; }

    Machine& machine_;
    const RenderCommand* command_ = nullptr;
    TilePass pass_;
    RenderState state_;
    TileWork begin_, end_;
    bool stored_ = false;  // since the last take_picture()
    bool all_tiles_ = false;
    std::vector<FragmentDraw> draws_;
    std::vector<TilePrimitive> primitives_;
    std::vector<size_t> first_;  // of each batch's primitives; and the end
    units::AreaBins bins_;
    std::vector<std::unique_ptr<Worker>> workers_;
    host::Counters counted_;
};

}  // namespace

std::unique_ptr<TileEngine> create_tile_engine(Machine& machine) {
    return std::make_unique<Engine>(machine);
}

}  // namespace terrazzo::agx::sim
