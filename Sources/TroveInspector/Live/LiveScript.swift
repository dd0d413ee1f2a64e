/// The page's only script: it asks for the page again when the server says that its results have changed, and puts the new results in the place of the old.
enum LiveScript {
    static let text = """
        const source = document.body.dataset.live;
        const state = document.getElementById("live-state");
        const say = (text) => { if (state) state.textContent = text; };
        if (source) {
            say("Connecting");
            const events = new EventSource(source);
            let next = Promise.resolve();
            events.onopen = () => say("Live");
            events.onerror = () => say(events.readyState === EventSource.CLOSED ? "Not live: reload the page" : "Not connected, trying again");
            events.addEventListener("change", () => {
                next = next.then(async () => {
                    const answer = await fetch(location.href);
                    if (!answer.ok) throw new Error(answer.status);
                    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
                    const old = document.getElementById("results"), fresh = page.getElementById("results");
                    if (old && fresh) old.replaceWith(document.adoptNode(fresh));
                    say("Live, changed at " + new Date().toLocaleTimeString());
                }).catch((error) => say("Not connected: " + error.message));
            });
        }

        """
}
