import FailingCalls
import TestSupport

/// Tries the operations of one engine with failing system calls; prints a line of figures, or what went wrong. Or works with a document or synchronizes a mirror, and ends at a call.
@main enum Main {
    static func main() throws {
        if CommandLine.arguments.count == 5, let engine = Engine(rawValue: CommandLine.arguments[2]), let call = Int64(CommandLine.arguments[3]) {
            try EndedRun(rawValue: CommandLine.arguments[1])?.run(engine, endingAt: call, in: CommandLine.arguments[4])
            print("done")
            return
        }
        guard CommandLine.arguments.count == 2, let engine = Engine(rawValue: CommandLine.arguments[1]) else {
            print("usage: SystemFaultProbe ENGINE")
            return
        }
        guard failing_calls_are_in_place() else {
            print("unsupported")
            return
        }
        for operation in EngineOperation.allCases {
            for fault in SystemFault.allCases {
                do {
                    print("tried: \(operation) \(fault) \(try SystemFaultLoop(engine, operation, fault).run())")
                } catch {
                    failing_calls_disarm()
                    print("problem: \(error)")
                }
            }
        }
        print("done")
    }
}
