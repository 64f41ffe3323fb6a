// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A small X server with one window, for tests. It accepts pictures through PutImage, MIT-SHM and DRI3, and
// reports when they are shown. On request it refuses, resizes the window, destroys it, or dies. It draws
// nothing.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace terrazzo::winsys::test {

struct X11ServerOptions {
    bool dri3 = true, shm = true;
    uint32_t dri3_minor = 2, present_minor = 2, shm_minor = 2;
    uint8_t depth = 24;  // of the window
    uint16_t width = 8, height = 4;
    std::vector<uint64_t> window_modifiers, screen_modifiers;
    std::set<uint64_t> refused_modifiers;
    bool refuses_present = false, refuses_shm = false;
    /// Each frame is shown at once, and the previous one becomes idle. Otherwise complete() and idle() do
    /// that.
    bool shows_at_once = true;
    const char* node = nullptr;  // the node that DRI3 opens
};

/// A DRI3 pixmap. The server owns the descriptor.
struct X11Pixmap {
    int fd = -1;
    uint32_t width = 0, height = 0, stride_B = 0, offset_B = 0;
    uint64_t modifier = 0;
    bool without_modifier = false;  // from PixmapFromBuffer
};

/// A Present request.
struct X11Frame {
    uint32_t pixmap, serial, options;
    uint64_t target_msc;
    bool everything;                       // without a region
    std::vector<std::vector<int>> damage;  // x, y, width, height from the top left
};

/// Any thread may call it. It serves in its own thread.
class X11Server {
  public:
    static constexpr uint32_t kWindow = 0x200001, kVisual24 = 0x21, kVisual32 = 0x22;

    explicit X11Server(X11ServerOptions options = {});
    ~X11Server();
    /// The value for DISPLAY.
    [[nodiscard]] const std::string& name() const { return name_; }

    void resize(uint16_t width, uint16_t height);
    void destroy_window();
    void hang_up();
    void complete(uint32_t serial, uint64_t msc, uint8_t mode = 0);
    void idle(uint32_t serial);

    /// Waits until `done()`, which may read the members below. False after ten seconds.
    [[nodiscard]] bool wait(const std::function<bool()>& done);
    std::mutex mutex;
    X11ServerOptions options;
    std::map<uint32_t, X11Pixmap> pixmaps;
    std::vector<X11Frame> frames;
    unsigned put_requests = 0, shm_puts = 0;
    std::vector<uint8_t> picture;  // from PutImage and MIT-SHM, top row first
    bool segment_attached = false;
    bool drew_before_turn = false;  // a copy arrived while a frame was waiting

  private:
    struct Client;
    void serve();
    [[nodiscard]] bool read_requests();
    void handle(const std::vector<uint8_t>& request);
    void handle_core(const std::vector<uint8_t>& request);
    void handle_dri3(const std::vector<uint8_t>& request);
    void handle_present(const std::vector<uint8_t>& request);
    void handle_fixes(const std::vector<uint8_t>& request);
    void handle_shm(const std::vector<uint8_t>& request);
    void present(const std::vector<uint8_t>& request);
    void draw(const uint8_t* pixels, uint32_t x, uint32_t y, uint32_t width, uint32_t height);
    [[nodiscard]] bool send_setup();
    void send(const void* bytes, size_t size_B);
    template <class T>
    void reply(T r, const void* more = nullptr, size_t more_B = 0, int fd = -1);
    void error(uint8_t code, const std::vector<uint8_t>& request);
    void send_complete(uint32_t serial, uint64_t msc, uint8_t mode);
    void send_idle(uint32_t serial);
    [[nodiscard]] int take_fd();

    std::string name_;
    int listener_ = -1, stop_ = -1, client_ = -1;
    std::vector<uint8_t> in_;
    std::deque<int> fds_;  // received and not yet used
    uint16_t sequence_ = 0;
    bool window_exists_ = true, selects_structure_ = false;
    uint32_t event_id_ = 0;
    uint64_t msc_ = 100;
    uint32_t shown_serial_ = 0, completed_serial_ = 0;
    std::map<uint32_t, uint32_t> pixmap_of_;  // by a frame's serial number
    std::map<uint32_t, std::vector<std::vector<int>>> regions_;
    uint8_t* segment_ = nullptr;
    size_t segment_B_ = 0;
    std::condition_variable changed_;
    std::thread thread_;
};

}  // namespace terrazzo::winsys::test
