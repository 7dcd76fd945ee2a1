/// CUDA graphs of loops of kernels. Conditions are in device memory, so the host is not involved.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernels/device/device_launcher.cuh"
#include "kernels/launch/loop_condition.hpp"

namespace nodia {

/// Graph to record into.
class OwnedGraph {
 public:
  explicit OwnedGraph(const char* what) {
    check_cuda(cudaGraphCreate(&graph_, 0), "cudaGraphCreate", what);
  }
  OwnedGraph(const OwnedGraph&) = delete;
  OwnedGraph& operator=(const OwnedGraph&) = delete;
  ~OwnedGraph() {
    if (graph_ != nullptr) static_cast<void>(cudaGraphDestroy(graph_));
  }
  cudaGraph_t get() const { return graph_; }
  /// Gives up the graph without destroying it. After a failed capture the driver may have freed
  /// parts of the graph, and destroying it would crash.
  void leak() { graph_ = nullptr; }

 private:
  cudaGraph_t graph_ = nullptr;
};

/// Executable graph.
class GraphExec {
 public:
  GraphExec(const char* what, cudaGraph_t graph) : what_(what) {
    check_cuda(cudaGraphInstantiate(&exec_, graph, 0), "cudaGraphInstantiate", what_);
  }
  GraphExec(GraphExec&& other) noexcept
      : what_(other.what_), exec_(std::exchange(other.exec_, nullptr)) {}
  GraphExec& operator=(GraphExec&& other) noexcept {
    std::swap(what_, other.what_);
    std::swap(exec_, other.exec_);
    return *this;
  }
  GraphExec(const GraphExec&) = delete;
  GraphExec& operator=(const GraphExec&) = delete;
  ~GraphExec() {
    if (exec_ != nullptr) static_cast<void>(cudaGraphExecDestroy(exec_));
  }
  /// Launches the graph. Throws RuntimeError if the graph was moved away.
  void launch(DeviceStream stream) const {
    if (exec_ == nullptr) throw RuntimeError(std::string(what_) + ": there is no graph to launch");
    check_cuda(cudaGraphLaunch(exec_, stream), "cudaGraphLaunch", what_);
  }

 private:
  const char* what_;
  cudaGraphExec_t exec_ = nullptr;
};

namespace detail {

/// Sets the condition of a conditional node.
/// @param flag  null: true
static __global__ void set_condition(cudaGraphConditionalHandle handle, const std::int32_t* flag) {
  cudaGraphSetConditional(handle, flag == nullptr || *flag != 0 ? 1U : 0U);
}
static __global__ void write_time(std::int64_t* ns) {
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(*ns));
}

}  // namespace detail

/// Writes the device time at which all earlier work in the stream ended [ns].
inline void write_time(std::int64_t* ns, DeviceStream stream) {
  detail::write_time<<<1, 1, 0, cuda_stream(stream)>>>(ns);
  check_cuda(cudaGetLastError(), "cudaLaunchKernel", "write_time");
}

/// Launcher that records a graph. Needs a driver with can_record_loops.
class GraphRecorder {
 public:
  /// @param what     name of the work in errors
  /// @param stream   stream to capture, not the null stream
  /// @param n_block  largest number of blocks of a launch whose item count is in device memory
  /// @param loop     in device memory: start time of the loop [ns]
  GraphRecorder(const char* what, DeviceStream stream, int n_block, std::int64_t* loop)
      : what_(what), stream_(stream), launcher_({stream}, n_block), loop_(loop), graph_(what) {}
  GraphRecorder(const GraphRecorder&) = delete;
  GraphRecorder& operator=(const GraphRecorder&) = delete;
  ~GraphRecorder() {
    if (captures_) static_cast<void>(end_capture());
  }

  template <class Kernel, class Count>
  void launch(const char* name, const Kernel& kernel, Count n_item) {
    capture();
    launcher_.launch(name, kernel, n_item);
  }

  template <class Kernel, class Decision>
  void launch_then(const char* name, const Kernel& kernel, const std::int32_t* n_item,
                   const char* decision_name, const Decision& decision) {
    capture();
    launcher_.launch_then(name, kernel, n_item, decision_name, decision);
  }
  template <class Kernel, class Decision>
  void launch_last(const char* name, const Kernel& kernel, const std::int32_t* n_item,
                   const char* decision_name, const Decision& decision) {
    capture();
    launcher_.launch_last(name, kernel, n_item, decision_name, decision, std::exchange(end_, {}));
  }

  /// Records the launches of launches() in the stream: kernels, and copies of pinned memory.
  template <class Launches>
  void in_stream(const Launches& launches) {
    capture();
    launches();
  }
  void begin_loop() { report_time(loop_); }
  void report_time(std::int64_t* ns) {
    capture();
    write_time(ns, stream_);
  }

  /// Records a loop over body(). The last decision of the body (launch_last) evaluates the
  /// condition on the device. The first body runs unconditionally.
  template <class Body>
  void repeat_while(LoopCondition* condition, const Body& body) {
    const cudaGraphConditionalHandle handle = make_condition(nullptr);
    end_ = {handle, condition};
    add_conditional(handle, cudaGraphCondTypeWhile, [&] {
      body();
      if (end_.condition != nullptr)
        throw RuntimeError(std::string(what_) + ": no kernel ends the loop that is recorded");
    });
  }
  /// Records body(), to run if *flag is not zero.
  template <class Body>
  void when(const std::int32_t* flag, const Body& body) {
    add_conditional(make_condition(flag), cudaGraphCondTypeIf, body);
  }

  /// Returns the recorded graph; call once.
  GraphExec take() {
    end();
    return GraphExec(what_, graph_.get());
  }

 private:
  /// Graph being recorded, or the loop body in it.
  cudaGraph_t current() const { return part_ != nullptr ? part_ : graph_.get(); }

  /// Makes a condition that a kernel sets before the conditional node, in every run. A default
  /// value would be applied only at the start of the whole graph.
  cudaGraphConditionalHandle make_condition(const std::int32_t* flag) {
    end();
    cudaGraphConditionalHandle handle{};
    check_cuda(cudaGraphConditionalHandleCreate(&handle, current(), 0, 0),
               "cudaGraphConditionalHandleCreate", what_);
    capture();
    detail::set_condition<<<1, 1, 0, stream_>>>(handle, flag);
    check_cuda(cudaGetLastError(), "cudaLaunchKernel", "set_condition");
    end();
    return handle;
  }
  template <class Body>
  void add_conditional(cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                       const Body& body) {
    cudaGraphNodeParams parameters{};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = type;
    parameters.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
    check_cuda(cudaGraphAddNode(&node, current(), last_.data(), nullptr, last_.size(), &parameters),
               "cudaGraphAddNode", what_);
#else
    check_cuda(cudaGraphAddNode(&node, current(), last_.data(), last_.size(), &parameters),
               "cudaGraphAddNode", what_);
#endif
    last_.clear();
    cudaGraph_t const outer = std::exchange(part_, parameters.conditional.phGraph_out[0]);
    body();
    end();
    last_ = {node};
    part_ = outer;
  }

  /// Starts a capture: later launches become part of the graph or loop body, after its nodes.
  void capture() {
    if (captures_) return;
    check_cuda(cudaStreamBeginCaptureToGraph(stream_, current(), last_.data(), nullptr,
                                             last_.size(), cudaStreamCaptureModeRelaxed),
               "cudaStreamBeginCaptureToGraph", what_);
    captures_ = true;
  }
  void end() {
    if (!captures_) return;
    cudaStreamCaptureStatus status{};
    const cudaGraphNode_t* last = nullptr;
    std::size_t n_last = 0;
#if CUDART_VERSION >= 13000
    check_cuda(
        cudaStreamGetCaptureInfo(stream_, &status, nullptr, nullptr, &last, nullptr, &n_last),
        "cudaStreamGetCaptureInfo", what_);
#else
    check_cuda(cudaStreamGetCaptureInfo_v2(stream_, &status, nullptr, nullptr, &last, &n_last),
               "cudaStreamGetCaptureInfo", what_);
#endif
    last_.assign(last, last + n_last);
    check_cuda(end_capture(), "cudaStreamEndCapture", what_);
  }
  /// Ends the capture, even if a failed call made it invalid, so the stream is free for other work.
  cudaError_t end_capture() {
    cudaGraph_t graph = nullptr;
    captures_ = false;
    const cudaError_t status = cudaStreamEndCapture(stream_, &graph);
    if (status != cudaSuccess) {
      static_cast<void>(cudaGetLastError());  // else the next recording would report it
      graph_.leak();
    }
    return status;
  }

  const char* what_;
  DeviceStream stream_;
  DeviceLauncher launcher_;
  std::int64_t* loop_;
  OwnedGraph graph_;
  cudaGraph_t part_ = nullptr;         ///< loop body in the graph; null: the graph itself
  std::vector<cudaGraphNode_t> last_;  ///< nodes before the next one
  bool captures_ = false;
  detail::LoopEnd end_;  ///< for the next launch_last
};

/// Returns the result of record(). Repeats it once after a failure, because a capture becomes
/// invalid if another thread waits for the whole device.
template <class Record>
GraphExec record_graph(const Record& record) {
  try {
    return record();
  } catch (const RuntimeError&) {
    return record();
  }
}

}  // namespace nodia
