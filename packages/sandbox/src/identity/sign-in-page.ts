/**
 * The provider's one form: sign in, or refuse. Only what a person types has a name, so that a client which sends every
 * field that it finds signs in.
 */
export const signInPage = (uid: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Sign in</title><link rel="icon" href="data:,"></head>
<body>
<h1>Sign in</h1>
<p>This is the OpenID provider of a sandbox: you are whoever you say.</p>
<form method="post" action="/interaction/${encodeURIComponent(uid)}">
<p><label>Email address<br><input type="email" name="email" required autofocus value="ada@example.com"></label></p>
<p><label>Name<br><input type="text" name="name" value="Ada Lovelace"></label></p>
<p><button type="submit">Sign in</button> <button type="submit" formaction="/interaction/${encodeURIComponent(uid)}/refuse" formnovalidate>Refuse</button></p>
</form>
</body>
</html>
`
