-- Requests for pods, for wrk. The environment says which: SORT, TOKEN, SIZE (pods in the store), RUN (unique per process).
local sort = os.getenv("SORT")
local size = tonumber(os.getenv("SIZE"))
local run = os.getenv("RUN")
local headers = { ["Authorization"] = "Bearer " .. os.getenv("TOKEN"), ["Content-Type"] = "application/json" }
local number = 0

-- More than there are connections: by then the pod surely exists.
local behind = 100

local pod = os.getenv("POD")

local function path(index)
  return "/api/v1/namespaces/n" .. math.floor(index / 1000) .. "/pods/p" .. index
end

local function create(name)
  local body = string.gsub(pod, "NAME", name)
  return wrk.format("POST", "/api/v1/namespaces/bench/pods", headers, body)
end

local sorts = {
  GET = function() return wrk.format("GET", path(number * 31 % size), headers) end,
  LIST = function() return wrk.format("GET", "/api/v1/namespaces/n0/pods", headers) end,
  POST = function() return create("c" .. run .. "-" .. number) end,
  -- For warming up: the store is as full afterwards as before.
  CHURN = function()
    local index = math.floor(number / 2)
    if number % 2 == 0 or index <= behind then return create("w" .. run .. "-" .. number) end
    local gone = "w" .. run .. "-" .. 2 * (index - behind)
    return wrk.format("DELETE", "/api/v1/namespaces/bench/pods/" .. gone .. "?gracePeriodSeconds=0", headers)
  end,
}

function request()
  number = number + 1
  return sorts[sort]()
end

function done(summary, latency, requests)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("measured %d %d %d %d %d\n",
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), failed))
end
