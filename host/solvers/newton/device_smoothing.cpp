#include "host/solvers/newton/device_smoothing.hpp"

#include <array>

namespace nodia {
namespace {

constexpr const char* kSmoothing = "smoothing";

/// A list on the host, which the view has as a pointer.
template <class T>
struct List {
  const T* first;
  std::size_t n;

  const T* data() const { return first; }
  std::size_t size() const { return n; }
};

}  // namespace

void DeviceSmoothing::set(const SmoothingView& view, int n_contact) {
  const DeviceStream stream = matrix_.stream();
  n_row_ = view.K.n_row;
  n_single_ = view.n_single;
  matrix_.on_device(kSmoothing, [&] {
    SmoothingView there = view;
    const auto send = [&]<class T>(DeviceBuffer<T>* to, const T*& pointer, std::size_t n) {
      to->assign(List<T>{pointer, n}, stream);
      pointer = to->data();
    };
    const auto room = [&](auto* to, auto*& pointer, std::size_t n) {
      to->resize(n, stream);
      pointer = to->data();
    };
    const auto rows = static_cast<std::size_t>(n_row_),
               contacts = static_cast<std::size_t>(n_contact);
    const auto n_part = static_cast<std::size_t>(view.part_begin[contacts]);
    there.K = matrix_.view();
    send(&b_, there.b, rows);
    send(&w_, there.w, rows);
    send(&inverse_, there.inverse, rows);
    send(&compliance_, there.compliance, contacts);
    send(&contact_, there.contact, contacts);
    send(&part_begin_, there.part_begin, contacts + 1);
    send(&part_, there.part, n_part);
    send(&single_, there.single, static_cast<std::size_t>(view.n_single));
    room(&y_, there.y, rows);
    room(&g_, there.g, rows);
    room(&lambda_, there.lambda, contacts);
    there.coupled = nullptr;
    there.before = nullptr;
    there.sweep_change = nullptr;
    view_.assign(std::array{there}, stream);
  });
}

void DeviceSmoothing::run(int n_times, std::vector<Vec3d>* y, std::vector<Vec3d>* g,
                          std::vector<Vec3d>* lambda) {
  const DeviceStream stream = matrix_.stream();
  matrix_.on_device(kSmoothing, [&] {
    y_.upload(*y, stream);
    g_.upload(*g, stream);
    lambda_.upload(*lambda, stream);
    smooth_on_device(view_.data(), n_row_, n_single_, n_times, matrix_.queue());
    *y = y_.download(stream);
    *g = g_.download(stream);
    *lambda = lambda_.download(stream);
  });
}

}  // namespace nodia
