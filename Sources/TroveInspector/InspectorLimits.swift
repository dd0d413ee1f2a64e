/// What one request may take.
struct InspectorLimits: Sendable {
    /// Bytes of the request line and the headers.
    var headSize = 16 << 10
    /// Bytes of the target.
    var targetSize = 8 << 10
    var headerCount = 64
    /// Bytes of a form.
    var bodySize = 1 << 20
    /// Characters of criteria text, of a sort, of words.
    var criteriaSize = 4_096
    /// Rows of a page.
    var rows = 200
    /// Bytes of an answer that is made at once.
    var answerSize = 16 << 20
    /// Connections at a time.
    var connections = 64
    /// Those of them that wait for changes.
    var liveConnections = 8
    /// From the first byte of a request to its last.
    var requestTime = Duration.seconds(10)
    /// How long a reader may take for a piece of 64 KB.
    var pieceTime = Duration.seconds(15)
    /// How long a query may take.
    var queryTime = Duration.seconds(5)
    /// How long counting what a filter leaves may take; the page says "many" then.
    var countTime = Duration.milliseconds(50)
    /// How often live results look for what other programs committed.
    var pollInterval = Duration.seconds(2)
    /// When a connection for live results ends; the browser opens another.
    var liveTime = Duration.seconds(600)
}
