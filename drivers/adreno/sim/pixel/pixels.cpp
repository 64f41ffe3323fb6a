// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/pixel/pixels.h"

#include <algorithm>

#include "drivers/adreno/sim/geometry/vertex_stage.h"

namespace terrazzo::adreno::sim {

namespace {

/// About 2 GiB of FragmentPrimitive.
constexpr size_t kMaxPrimitives = size_t(1) << 22;
static_assert(sizeof(FragmentPrimitive) * kMaxPrimitives <= size_t(2) << 30);
constexpr unsigned kMaxLayers = 2048;
constexpr unsigned kFragmentInvocations = 9;  // of Machine::primitive_counters

constexpr size_t kMaxConstants = 255 * 4 * 4;  // the most words that constlen allows

/// An area's primitives are loaded before they are drawn: those of a draw do not fit into a core's caches.
constexpr size_t kAhead = 4;
void prefetch(const FragmentPrimitive& p) {
    constexpr size_t kLine_B = 64;
    for (size_t at = 0; at < sizeof p; at += kLine_B)
        __builtin_prefetch(reinterpret_cast<const uint8_t*>(&p) + at);
}

}  // namespace

/// One thread's state.
struct PixelEngine::Worker {
    Worker(Machine& m, LowResolutionDepth& lrz, unsigned slot)
        : units(m),
          core(m.uche_space(), units),
          targets(m.host.space()),
          wave(std::make_unique<Wave>()),
          shader(core, units, *wave, targets, lrz, slot) {
        constants.reserve(kMaxConstants);  // a thread must not allocate it
    }
    FragmentUnits units;
    Core core;
    window::Window targets;  // the CCUs' view of memory
    std::unique_ptr<Wave> wave;
    AreaShader shader;
    Area area;
    bool replaces = false;            // what it covers
    std::vector<uint32_t> bin;        // the primitives of the area
    std::vector<uint32_t> constants;  // the draw's copy, which its preamble may write
};

PixelEngine::PixelEngine(Machine& machine) : machine_(machine), lrz_(machine) {}
PixelEngine::~PixelEngine() = default;

void PixelEngine::begin_submit() {
    fresh_ = true;
}

bool PixelEngine::load_primitive(const PixelState& state, const VertexOutputs& outputs,
                                 const DrawnPrimitive& d, FragmentPrimitive* p, Fault* fault) const {
    if (d.view >= state.views) return fail(fault, "a view without scissors");
    if (!units::set_up_fragments(d, outputs, state.bias, state.samples > 1 || !state.pattern.is_center(),
                                 state.viewport[d.view], p))
        return fail(fault, "a primitive of a vertex that there is not");
    p->low_resolution_depth = !d.view && !d.layer && lrz_.used();
    return true;
}

void PixelEngine::list_areas(unsigned worker, unsigned n, unsigned layer) {
    const Part& part = parts_[n];
    for (size_t i = part.first; i < part.end; ++i)
        if (primitives_[i].layer == layer) bins_.add(worker, primitives_[i].bounds, uint32_t(i));
    bins_.end_part(worker, n);
}

// Calls run(worker, n, fault) for each part, on several threads.
template <class Run>
bool PixelEngine::run_parts(const PixelState& state, Run&& run, Fault* fault) {
    const auto parts = unsigned(part_count_), threads = std::min(parts, machine_.threads);
    bins_.begin(state.bounds, Area::kSize_px, parts, threads);
    if (!sim::run_parts(machine_, parts, threads, fault, run)) return false;
    bins_.join();
    return true;
}

// Sets up the primitives of the lists, one list per thread at a time, and lists the areas of the first layer.
bool PixelEngine::load_primitives(const PixelState& state, const VertexOutputs& outputs,
                                  std::span<const DrawnList> lists, Fault* fault) {
    part_count_ = lists.size();
    if (parts_.size() < part_count_) parts_.resize(part_count_);
    count_ = 0;
    for (size_t n = 0; n < part_count_; ++n) {
        parts_[n].first = count_;
        parts_[n].end = count_ += lists[n].size();
    }
    if (count_ > kMaxPrimitives) return fail(fault, "too many primitives in a draw");
    if (primitives_.size() < count_) primitives_.resize(count_);
    const auto run = [&](unsigned worker, unsigned n, Fault* mine) {
        Part& part = parts_[n];
        part.layers = 1;
        FragmentPrimitive* p = &primitives_[part.first];
        for (const DrawnPrimitive& d : lists[n]) {
            if (!load_primitive(state, outputs, d, p, mine)) return false;
            if (!p->bounds.empty()) part.layers = std::max(part.layers, unsigned(p->layer) + 1);
            ++p;
        }
        list_areas(worker, n, 0);
        return true;
    };
    if (!run_parts(state, run, fault)) return false;
    layers_ = 1;
    for (size_t n = 0; n < part_count_; ++n)
        layers_ = std::max(layers_, parts_[n].layers);
    return layers_ <= kMaxLayers || fail(fault, "a layer that no image has");
}

bool PixelEngine::run_area(const PixelState& state, uint32_t output_words, Worker& w, unsigned area,
                           Fault* fault) {
    window::Window& memory = w.targets;
    const pipe::raster::PixelRect rect = bins_.rect(area);
    const std::vector<uint32_t>& bin = w.bin;
    bins_.primitives(area, &w.bin);
    // Before a primitive that replaces all, nothing needs to be read.
    const bool load = !w.replaces || !covers(state, primitives_[bin.front()], rect);
    if (!w.area.begin(state, rect, load, memory, machine_.gmem, fault)) return false;
    w.shader.begin(state, output_words, w.area);
    for (size_t n = 0; n < bin.size(); ++n) {
        if (n + kAhead < bin.size()) prefetch(primitives_[bin[n + kAhead]]);
        if (n + 1 < bin.size())
            for (const uint32_t* const values : primitives_[bin[n + 1]].values)
                __builtin_prefetch(values);
        if (!w.shader.draw(primitives_[bin[n]], fault)) return false;
    }
    return w.shader.flush(fault) && w.area.end(state, memory, machine_.gmem, fault);
}

bool PixelEngine::run_bins(const PixelState& state, uint32_t output_words, Fault* fault) {
    const auto count = unsigned(bins_.used().size());
    if (!count) return true;
    const unsigned threads = units::area_threads(count, count_, machine_.threads);
    while (workers_.size() < threads)
        workers_.push_back(std::make_unique<Worker>(machine_, lrz_, unsigned(workers_.size())));
    const bool fresh = std::exchange(fresh_, false);
    if (fresh)
        for (auto& w : workers_)
            w->core.programs().begin_job();
    const auto begin = [&](unsigned n) {
        Worker& w = *workers_[n];
        w.core.memory().refresh();
        w.targets.refresh();
        w.units.set_stage(Stage::Fragment);
        w.units.begin_work();
        w.core.turn_limit = machine_.turn_limit;
        w.core.host = &machine_.host;
        w.core.has_scalar_alu = machine_.chip.generation.has_scalar_alu;
        w.wave->demote_constants = machine_.registers.get<hw::SP_MODE_CONTROL>().constant_demotion_enable;
        const std::vector<uint32_t>& from = machine_.stages[unsigned(Stage::Fragment)].constants;
        const size_t words = std::min<size_t>(from.size(), state.shader.constant_words);
        w.constants.assign(from.begin(), from.begin() + ptrdiff_t(words));
        w.constants.resize(state.shader.constant_words);  // a preamble writes beyond the loaded constants
        w.wave->constants = w.constants;
        w.wave->writable_constants = w.constants;
        w.wave->preamble_done = false;
        w.replaces =
            replaces_colors(state, machine_, *w.core.programs().find(w.core.memory(), state.shader.code_va));
    };
    const auto run = [&](unsigned n, unsigned i, Fault* mine) {
        return run_area(state, output_words, *workers_[n], bins_.used()[i], mine);
    };
    const auto stop = [&] { return machine_.host.should_stop(); };
    // A stopped submit ends without a fault: the host knows that it stopped it.
    return units::run_areas(count, machine_.on_threads(threads), run, fail_without_memory, stop, fault,
                            begin) != units::AreaResult::Failed;
}

namespace {

// The targets' next layers.
bool move_to_layer(Machine& m, unsigned layer, PixelState* s, Fault* fault) {
    for (unsigned n = 0; n < Area::kPlanes; ++n) {
        auto& t = const_cast<Target&>(target_of(*s, n));
        if (!t.used) continue;
        SurfaceDesc d = t.desc;
        if (s->in_gmem) return fail(fault, "a layer of GMEM");
        d.va += layer * t.layer_B;
        d.flags_va += layer * t.flags_layer_B;
        std::string why;
        if (!t.surface.init(d, m.chip, &why)) return fail(fault, t.name, ": layer: ", why);
    }
    return true;
}

}  // namespace

void PixelEngine::begin_draw(const DrawCall& call) {
    draw_ = call.number;
    has_state_ = false;
    lrz_.begin_draw();
}

void PixelEngine::count() {
    WorkCounters& work = machine_.work;
    CoreStats stats;
    uint64_t texture_pixels = 0;
    for (auto& w : workers_) {
        const uint64_t passed = w->shader.take_passed();
        const PixelCounts counts = w->shader.take_counts();
        machine_.samples_passed += passed;
        work.samples_passed += passed;
        work.quads += counts.quads;
        work.pixels += counts.pixels;
        work.fragments += counts.fragments;
        machine_.primitive_counters[kFragmentInvocations] += counts.fragments;
        stats.add(w->core.stats());
        texture_pixels += w->units.texture_pixels();
    }
    work.shaders[unsigned(Stage::Fragment)] = stats;
    work.texture_pixels[unsigned(Stage::Fragment)] = texture_pixels;
}

bool PixelEngine::take(const VertexOutputs& outputs, std::span<const DrawnList> lists, Fault* fault) {
    if (lists.empty()) return true;
    unsigned views = 1;
    bool uses_lrz = false;
    for (const DrawnList& list : lists) {
        views = std::max(views, list.views);
        uses_lrz |= list.has_first_layer;
    }
    if (!has_state_ || views > state_.views) {
        state_ = {};
        if (!load_pixel_state(machine_, draw_, views, &state_, fault)) return false;
        has_state_ = true;
    }
    if ((uses_lrz && !lrz_.load(fault)) || !load_primitives(state_, outputs, lists, fault))
        return in_draw(draw_, fault);
    bool good = run_bins(state_, outputs.words, fault);
    for (unsigned layer = 1; layer < layers_ && good; ++layer) {
        has_state_ = false;
        const auto list = [&](unsigned worker, unsigned n, Fault*) {
            list_areas(worker, n, layer);
            return true;
        };
        good = move_to_layer(machine_, layer, &state_, fault) && run_parts(state_, list, fault)
                   ? run_bins(state_, outputs.words, fault)
                   : in_draw(draw_, fault);
    }
    count();
    return good;
}

}  // namespace terrazzo::adreno::sim
